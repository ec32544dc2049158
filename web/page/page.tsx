import { render } from 'preact';
import { Shell } from './shell.tsx';
import { restoreTheme } from './theme.ts';

restoreTheme();
render(<Shell />, document.getElementById('page')!);
