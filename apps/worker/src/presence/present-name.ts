import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerPresence } from '#libs/persistence';

/** A job that finds this process without its presence waits so long for it; then it is lost, and will be sent again. */
const WAIT_FOR_PRESENCE_MS = 10_000;

/** The name to claim under. Waits for a while when there is none just now; throws `NOT_PRESENT` when that lasts. */
export async function presentName(presence: WorkerPresence): Promise<string> {
  if (!presence.isPresent)
    await Promise.race([presence.whenPresent(), sleep(WAIT_FOR_PRESENCE_MS, undefined, { ref: false })]);
  return presence.workerId;
}
