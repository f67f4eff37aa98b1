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
/** Time for a living worker to announce itself again after it has lost its connection: seven tries of `WorkerPresence`. */
const GRACE_MS = 650;
/** The database has to be there all the time: one that comes back has just lost everybody's connections. */
const LOOKS = 4;

/**
 * Releases what dead workers held. To the database a process that died and a connection that broke look alike: dead is who
 * has been missing for the whole grace. Answers how many there were.
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

/** Erases what a deleted session has left outside of the database: live events, and its folder where there are files. */
export async function eraseSession(
  { sessionId, tenantId, executionIds }: ErasableSession,
  events: Pick<EventStream, 'delete'>,
  filesRoot: string | null,
): Promise<void> {
  for (const executionId of executionIds) await events.delete(executionId);
  const folder = filesRoot === null ? null : folderOf(filesRoot, tenantId, sessionId);
  if (folder !== null) await rm(folder, { recursive: true, force: true });
}

/** Null for a tenant whose name is no folder of its own: nothing outside of it is ever removed. */
function folderOf(filesRoot: string, tenantId: string, sessionId: string): string | null {
  const folder = join(filesRoot, tenantId, sessionId);
  const parts = relative(filesRoot, folder).split(sep);
  return parts.length === 2 && parts[0] === tenantId && parts[1] === sessionId ? folder : null;
}

/** Deletes the conversations that their tenants keep no longer. One that has something under way by then stays. */
export async function deleteIdleSessions(
  dataSource: DataSource,
  sessions: Pick<SessionChangesStore, 'delete'>,
): Promise<void> {
  for (const { tenantId, sessionId } of await findIdleSessions(dataSource))
    await sessions.delete(tenantId, sessionId);
}
