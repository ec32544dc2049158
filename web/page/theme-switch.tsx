import { useState } from 'preact/hooks';
import { Choice } from './parts/choice.tsx';
import { setTheme, themeNow, type Theme } from './theme.ts';

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const [theme, show] = useState<Theme>(themeNow);
  const choose = (value: string) => {
    setTheme(value as Theme);
    show(value as Theme);
  };
  const options = [
    ['auto', 'as the system'],
    ['light', 'light'],
    ['dark', 'dark'],
  ] as const;
  return <Choice label="Colours" value={theme} options={options} onChoose={choose} />;
}
