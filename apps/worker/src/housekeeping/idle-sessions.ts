import { findIdleSessions, SessionChangesStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';

/** Deletes the conversations that their tenants keep no longer. One that has something under way by then stays. */
export async function deleteIdleSessions(dataSource: DataSource): Promise<void> {
  const changes = new SessionChangesStore(dataSource);
  for (const { tenantId, sessionId } of await findIdleSessions(dataSource))
    await changes.delete(tenantId, sessionId);
}
