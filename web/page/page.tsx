import { render } from 'preact';

render(<h1>Thaw</h1>, document.getElementById('page')!);
