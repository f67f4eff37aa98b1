import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerPresence } from '#libs/persistence';

/** Maximum wait of a job for this process's presence, in milliseconds; then the job fails and is sent again as lost. */
const WAIT_FOR_PRESENCE_MS = 10_000;

/** Name for claims. Waits while this process has no presence; throws `NOT_PRESENT` if that lasts. */
export async function presentName(presence: WorkerPresence): Promise<string> {
  if (!presence.isPresent)
    await Promise.race([presence.whenPresent(), sleep(WAIT_FOR_PRESENCE_MS, undefined, { ref: false })]);
  return presence.workerId;
}
