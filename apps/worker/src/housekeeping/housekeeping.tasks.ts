import { rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { DataSource } from 'typeorm';
import type { EventStream } from '#libs/executions';
import {
  findIdleSessions,
  findMissingWorkers,
  releaseDeadWorkers,
  type ErasableSession,
  type SessionChangesStore,
} from '#libs/persistence';

/** Interval of the search for missing workers, in milliseconds. */
export const LOOK_EVERY_MS = 200;
/**
 * Grace period for a live worker to announce itself again after a lost connection, in milliseconds: seven tries of
 * `WorkerPresence`.
 */
const GRACE_MS = 650;
/**
 * Number of checks within the grace period. The database must answer each one, since a restarted database has just
 * dropped all connections.
 */
const LOOKS = 4;

/**
 * Releases the claims of dead workers. The database cannot distinguish a dead process from a broken connection, so a
 * worker counts as dead only after it was missing for the whole grace period. Returns the number of dead workers.
 */
export async function reapDeadWorkers(
  dataSource: DataSource,
  wait: (ms: number) => Promise<unknown>,
): Promise<number> {
  let missing = await findMissingWorkers(dataSource);
  for (let look = 0; look < LOOKS && missing.length > 0; look += 1) {
    await wait(GRACE_MS / LOOKS);
    const stillMissing = new Set(await findMissingWorkers(dataSource));
    missing = missing.filter((number) => stillMissing.has(number));
  }
  return missing.length === 0 ? 0 : releaseDeadWorkers(dataSource, missing);
}

/** Deletes a session's data outside the database: live events, and its workspace folder. */
export async function eraseSession(
  { sessionId, tenantId, executionIds }: ErasableSession,
  events: Pick<EventStream, 'delete'>,
  filesRoot: string | null,
): Promise<void> {
  for (const executionId of executionIds) await events.delete(executionId);
  const folder = filesRoot === null ? null : folderOf(filesRoot, tenantId, sessionId);
  if (folder !== null) await rm(folder, { recursive: true, force: true });
}

/** Null if the tenant's name is not a plain folder name, so that no other path is ever deleted. */
function folderOf(filesRoot: string, tenantId: string, sessionId: string): string | null {
  const folder = join(filesRoot, tenantId, sessionId);
  const parts = relative(filesRoot, folder).split(sep);
  return parts.length === 2 && parts[0] === tenantId && parts[1] === sessionId ? folder : null;
}

/** Deletes sessions that are idle for longer than their tenants keep them. A session with a pending execution stays. */
export async function deleteIdleSessions(
  dataSource: DataSource,
  sessions: Pick<SessionChangesStore, 'delete'>,
): Promise<void> {
  for (const { tenantId, sessionId } of await findIdleSessions(dataSource))
    await sessions.delete(tenantId, sessionId);
}
