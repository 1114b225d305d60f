// The start of the pages.
import './style.css';
import { render } from 'preact';
import { listenToDrops } from './documents/given-files.ts';
import { App } from './shell/app.tsx';
import { listenToKeys } from './shell/shortcuts.ts';

const root = document.getElementById('app');
if (root) render(<App />, root);
listenToKeys();
listenToDrops();
