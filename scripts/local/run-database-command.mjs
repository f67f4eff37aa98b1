import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { joinLocalDatabase } from './local-database.mjs';
import { build, buildIsCurrent } from './project-build.mjs';
import { readSettings } from './settings.mjs';

/**
 * Runs the migrate program in this terminal, on DATABASE_URL or on the embedded PostgreSQL when none is given.
 * @param {object} options
 * @param {string} options.root
 * @param {import('./run-until-stopped.mjs').CommandContext} options.context
 * @param {readonly string[]} options.args of the migrate program
 * @returns {Promise<number>} its exit code
 */
export async function runDatabaseCommand({ root, context, args }) {
  if (!buildIsCurrent(root)) await build(root);
  const settings = readSettings(root, process.env);
  let url = settings.DATABASE_URL;
  if (url === undefined) {
    const database = await joinLocalDatabase(root);
    context.onStop(database.leave);
    url = database.url;
  }
  context.signal.throwIfAborted();
  const program = spawn(process.execPath, [join(root, 'dist/apps/migrate/src/main.js'), ...args], {
    cwd: root,
    env: { ...settings, DATABASE_URL: url },
    stdio: 'inherit',
  });
  context.signal.addEventListener('abort', () => program.kill('SIGTERM'), { once: true });
  return new Promise((resolve, reject) => {
    program.once('error', reject);
    program.once('exit', (code) => resolve(code ?? 1));
  });
}
