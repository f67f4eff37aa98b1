import { startService } from './service-process.mjs';
import { describeExit } from './service-failure.mjs';

/**
 * Brings the database to the newest schema and seeds it; several at once are serialised by the program itself.
 * @param {object} options
 * @param {string} options.root
 * @param {Record<string, string>} options.env
 * @param {import('./run-until-stopped.mjs').CommandContext} options.context
 * @throws {Error} with the program's last words
 */
export async function migrate({ root, env, context }) {
  const program = startService({
    name: 'migrate',
    entry: 'dist/apps/migrate/src/main.js',
    args: ['--seed'],
    root,
    env,
  });
  context.onStop(() => program.stop(5_000));
  const end = await program.exited;
  context.signal.throwIfAborted();
  if (end.code !== 0) throw new Error(describeExit(program, end));
}
