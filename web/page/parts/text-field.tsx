import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  /** Told when somebody has stopped writing for a moment. */
  readonly onWrite: (value: string) => void;
}

const PAUSE_MS = 250;

/** A labelled field to filter by. */
export function TextField({ label, value, hint, onWrite }: TextFieldProps) {
  const id = useId();
  const [written, setWritten] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setWritten(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const write = (text: string) => {
    setWritten(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onWrite(text), PAUSE_MS);
  };
  return (
    <span class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={written}
        placeholder={hint}
        onInput={(event) => write(event.currentTarget.value)}
      />
    </span>
  );
}
