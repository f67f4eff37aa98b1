import { startConsole } from './app/start.js';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the console.');
startConsole(root);
