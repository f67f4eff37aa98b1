// @ts-check
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { programFile } from '../scripts/build/programs.ts';

const PROGRAM = join(import.meta.dirname, '..', programFile('simulator'));

/** Starts the simulator as a separate process on a free port. */
export async function startSimulator() {
  const env = { ...process.env, SIMULATOR_HOST: '127.0.0.1', SIMULATOR_PORT: '0' };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const baseUrl = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the simulator ended with ${code}`)));
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const url = /http:\/\/\S+/.exec(text)?.[0];
      if (url) resolve(url);
    });
  });
  const stop = () =>
    new Promise((resolve) => {
      child.removeAllListeners('exit').once('exit', resolve);
      child.kill();
    });
  return { baseUrl, stop };
}
