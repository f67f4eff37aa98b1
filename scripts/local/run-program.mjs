import { spawn } from 'node:child_process';

/**
 * Runs a program to its end and gathers what it says.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{uid: number, gid: number} | null} account null: the account of this process
 * @returns {Promise<{code: number | null, output: string}>}
 * @throws {Error} when the program cannot be started
 */
export function runProgram(program, args, account) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...account,
      cwd: '/',
      // The words and signs of PostgreSQL must not depend on who started it.
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, output });
    });
  });
}
