import { useQuery } from '../router.ts';

interface TogglesProps {
  readonly label: string;
  readonly names: readonly string[];
  /** Colour variables of the style sheet, one a name. */
  readonly colors: readonly string[];
  readonly isShown: (name: string) => boolean;
  readonly onToggle: (name: string) => void;
}

/** Buttons that show and hide things by name. */
export function Toggles({ label, names, colors, isShown, onToggle }: TogglesProps) {
  return (
    <div class="toggles" role="group" aria-label={label}>
      {names.map((name, index) => (
        <button key={name} type="button" aria-pressed={isShown(name) ? 'true' : 'false'} onClick={() => onToggle(name)}>
          <span class="swatch" aria-hidden="true" style={{ background: `var(${colors[index]!})` }} />
          {name}
        </button>
      ))}
    </div>
  );
}

/** Which names are hidden, as a list in the address. */
export function useToggles(parameter: string): [isShown: (name: string) => boolean, toggle: (name: string) => void] {
  const [text, set] = useQuery(parameter);
  // A name may hold a comma: in the list it is encoded.
  const hidden = new Set(
    text
      .split(',')
      .filter((name) => name !== '')
      .map(decodeURIComponent),
  );
  const toggle = (name: string) => {
    if (!hidden.delete(name)) hidden.add(name);
    set([...hidden].map(encodeURIComponent).join(','), 'replace');
  };
  return [(name) => !hidden.has(name), toggle];
}
