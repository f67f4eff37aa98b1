// @ts-check
import { join } from 'node:path';
import { IMAGE_FLAGS, startService, waitUntilReady } from '../../scripts/local/service-process.ts';

const STOP_GRACE_MS = 15_000;

/**
 * A measured process.
 * @typedef {object} BenchProgram
 * @property {number} pid
 * @property {() => Promise<void>} stop lets it end in its own way
 * @property {() => Promise<void>} kill ends it by SIGKILL
 */

/**
 * Starts `node <entry>` and waits until it is ready.
 * @param {object} program
 * @param {string} program.root
 * @param {string} program.name of its log in `.local/logs`
 * @param {string} program.entry below `root`
 * @param {Record<string, string>} program.env its whole environment
 * @param {string} program.readyUrl
 * @param {AbortSignal} program.signal
 * @param {(undo: () => Promise<void>) => unknown} program.defer takes what ends it
 * @returns {Promise<BenchProgram>}
 */
export async function startProgram({ root, name, entry, env, readyUrl, signal, defer }) {
  const logs = join(root, '.local', 'logs');
  const service = startService({ name, entry, root, logs, env, nodeFlags: IMAGE_FLAGS });
  const pid = service.identity?.pid ?? 0;
  const kill = async () => {
    if (service.hasExited()) return;
    process.kill(pid, 'SIGKILL');
    await service.exited;
  };
  const stop = () => service.stop(STOP_GRACE_MS);
  // Registered before it is ready, since the bench may be stopped in between.
  defer(stop);
  await waitUntilReady({ url: readyUrl, service, signal });
  return { pid, kill, stop };
}
