import './app/app.css';
import { askAhead } from './app/ask-ahead.js';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the console.');
askAhead(location.pathname);
void import('./app/start.js').then(({ startConsole }) => startConsole(root));
