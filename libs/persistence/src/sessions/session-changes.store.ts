import { Any, IsNull, LessThan, type DataSource } from 'typeorm';
import { isSettled } from '#libs/payloads';
import { ChatSessionEntity } from '../entities/chat-session.entity.js';
import { DeletedSessionEntity } from '../entities/deleted-session.entity.js';
import { ExecutionEventEntity } from '../entities/execution-event.entity.js';
import { ExecutionEntity } from '../entities/execution.entity.js';
import { SessionSummaryOrderEntity } from '../entities/session-summary-order.entity.js';
import { SessionSummaryEntity } from '../entities/session-summary.entity.js';
import { SessionTitleEntity } from '../entities/session-title.entity.js';
import { UsageLogEntity } from '../entities/usage-log.entity.js';
import { changeRow } from '../rows/versioned-repository.js';

export type SessionChange = 'changed' | 'not_found';
export type SessionDeletion = 'deleted' | 'not_found' | 'busy';

/** Fields that a person may change; those left out stay. */
export interface SessionFields {
  readonly title?: string | undefined;
  readonly metadata?: Record<string, string> | undefined;
}

/** Names, archives, resets and deletes conversations. */
export class SessionChangesStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Replaces the title by that of a person, and the metadata, where they are given. An order for a generated title is filled
   * with this one, so that no later job replaces it, and a stream that waits for a title ends with it.
   */
  update(tenantId: string, sessionId: string, { title, metadata }: SessionFields): Promise<SessionChange> {
    return this.dataSource.transaction(async (manager) => {
      // The session is locked first, as in the transactions that order and write titles.
      const given = { ...(title !== undefined && { title }), ...(metadata !== undefined && { metadata }) };
      const change = { ...given, updatedAt: UNCHANGED };
      const { affected } = await manager.update(ChatSessionEntity, { tenantId, id: sessionId }, change);
      if (affected === 0) return 'not_found';
      if (title === undefined) return 'changed';
      await manager.update(SessionTitleEntity, { sessionId, title: IsNull() }, { title });
      return 'changed';
    });
  }

  /** An archived session takes no new executions; those that it has continue. */
  async setArchived(tenantId: string, sessionId: string, isArchived: boolean): Promise<SessionChange> {
    const sessions = this.dataSource.getRepository(ChatSessionEntity);
    const change = { isActive: !isArchived, updatedAt: UNCHANGED };
    const { affected } = await sessions.update({ tenantId, id: sessionId }, change);
    return affected === 0 ? 'not_found' : 'changed';
  }

  /**
   * Makes the next execution start afresh (S4-35): its model sees no turn that has begun by now and no summary. The turns
   * stay readable, and the session keeps its system prompt and its title.
   */
  reset(tenantId: string, sessionId: string): Promise<SessionChange> {
    return this.dataSource.transaction(async (manager) => {
      const change = { engineSessionId: null, engineFirstTurn: () => NEXT_FIRST_TURN, updatedAt: UNCHANGED };
      const sessions = manager.getRepository(ChatSessionEntity);
      const reset = await changeRow(sessions, { tenantId, id: sessionId }, change);
      if (reset === null) return 'not_found';
      // The order is deleted first: this waits for a job that is writing a summary, which is then deleted as well.
      await manager.delete(SessionSummaryOrderEntity, { sessionId });
      await manager.delete(SessionSummaryEntity, { sessionId, firstTurn: LessThan(reset.engineFirstTurn) });
      return 'changed';
    });
  }

  /**
   * Deletes a session with everything that belongs to it. `busy`: an execution has not settled, and nothing was deleted.
   * Usage records stay without their reference to the session. `eraseDeletedSessions` later erases what lies outside of the
   * database.
   */
  delete(tenantId: string, sessionId: string): Promise<SessionDeletion> {
    return this.dataSource.transaction(async (manager) => {
      // The session is locked first, as in the transactions that accept and settle.
      const sessions = manager.createQueryBuilder(ChatSessionEntity, 'session').select('session.id');
      const session = await sessions.where({ tenantId, id: sessionId }).setLock('pessimistic_write').getOne();
      if (session === null) return 'not_found';
      const select = { id: true, status: true };
      const executions = await manager.find(ExecutionEntity, { select, where: { sessionId } });
      if (!executions.every(({ status }) => isSettled(status))) return 'busy';
      const executionIds = executions.map(({ id }) => id);
      await manager.insert(DeletedSessionEntity, { sessionId, tenantId, executionIds });
      // By executions: all usage of a session is that of its executions, which go only with it.
      const usage = { executionId: Any(executionIds) };
      await manager.update(UsageLogEntity, usage, { sessionId: null, responseId: null });
      await manager.delete(ExecutionEventEntity, { executionId: Any(executionIds) });
      await manager.delete(ChatSessionEntity, { id: sessionId });
      return 'deleted';
    });
  }
}

/** Keeps `updated_at`, which TypeORM would set to the current time. */
const UNCHANGED = (): string => 'updated_at';
const NEXT_FIRST_TURN = `greatest(engine_first_turn, (
  SELECT coalesce(max(turn_number), 0) + 1 FROM execution
   WHERE execution.session_id = chat_session.id AND started_at IS NOT NULL))`;
