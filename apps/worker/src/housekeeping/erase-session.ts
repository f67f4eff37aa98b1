import { rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { EventStream } from '#libs/executions';
import type { ErasableSession } from '#libs/persistence';

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
