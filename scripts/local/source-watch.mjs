import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { npmCommand } from './packages.mjs';
import { killGroup } from './service-process.mjs';

/**
 * Keeps `dist` up to date with the sources: the npm script `build` in its watch mode. Resolves after the first build.
 * @param {object} options
 * @param {string} options.root
 * @param {import('./run-until-stopped.mjs').CommandContext} options.context
 * @param {(line: string) => void} options.onLine what the compiler says
 * @returns {Promise<void>}
 * @throws {Error} when the compiler ends before its first build
 */
export async function watchSources({ root, context, onLine }) {
  const npm = npmCommand();
  const compiler = spawn(npm.program, [...npm.args, 'run', '--silent', 'build', '--', '--watch'], {
    cwd: root,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: npm.needsShell,
  });
  context.onStop(() => killGroup(compiler, 'SIGTERM'));
  await new Promise((resolve, reject) => {
    for (const input of [compiler.stdout, compiler.stderr]) {
      createInterface({ input }).on('line', (line) => {
        onLine(line);
        if (/compiled: \d+ file/iu.test(line)) resolve(undefined);
      });
    }
    compiler.once('error', reject);
    compiler.once('exit', () => {
      const error = new Error('The compiler ended.');
      reject(error);
      context.fail(error);
    });
  });
}
