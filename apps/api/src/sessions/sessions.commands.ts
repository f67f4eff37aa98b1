import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/kernel';
import { SessionChangesStore, type SessionView } from '#libs/persistence';
import { sessionNotFound } from '../executions/executions.faults.js';
import { SessionsQueries } from './sessions.queries.js';

/** Changing conversations as a whole. Each throws `NOT_FOUND` for a session of another tenant. */
@Injectable()
export class SessionsCommands {
  constructor(
    private readonly changes: SessionChangesStore,
    private readonly queries: SessionsQueries,
  ) {}

  async setArchived(tenantId: string, sessionId: string, isArchived: boolean): Promise<SessionView> {
    await this.changes.setArchived(tenantId, sessionId, isArchived);
    return this.queries.find(tenantId, sessionId);
  }

  async reset(tenantId: string, sessionId: string): Promise<SessionView> {
    await this.changes.reset(tenantId, sessionId);
    return this.queries.find(tenantId, sessionId);
  }

  /** Throws `CONVERSATION_LOCKED`, and has deleted nothing, while an execution of it has not ended. */
  async delete(tenantId: string, sessionId: string): Promise<void> {
    const deletion = await this.changes.delete(tenantId, sessionId);
    if (deletion === 'not_found') throw sessionNotFound();
    if (deletion === 'busy') throw executionsNotEnded();
  }
}

function executionsNotEnded(): AppError {
  return new AppError({
    code: 'CONVERSATION_LOCKED',
    kind: 'conflict',
    message: 'an execution of the session has not ended; cancel it, or delete the session when it has ended',
  });
}
