// @ts-check
// Runs a native program that ends with its parent process: node run-binary.mjs <file> [argument...]
import { spawn } from 'node:child_process';

const [file = '', ...args] = process.argv.slice(2);
const child = spawn(file, args, { stdio: 'inherit' });
child.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 1));
const stop = () => child.kill('SIGTERM');
process.once('SIGTERM', stop).once('disconnect', stop);
process.once('exit', () => child.kill('SIGKILL'));
