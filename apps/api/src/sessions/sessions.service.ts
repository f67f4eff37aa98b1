import { Injectable } from '@nestjs/common';
import {
  MessageLogStore,
  SessionStore,
  type ChatMessageView,
  type LogMessageView,
  type SessionView,
  type SummaryView,
  SessionChangesStore,
} from '#libs/persistence';
import { AppError } from '#libs/kernel';
import { domains } from '../domains.js';
import { sessionNotFound } from '../executions/executions.errors.js';
import { byId, toPage, type Page } from '../http/page.js';
import type { MessageListQuery, MessageLogQuery, SessionListQuery, SessionPatchDto } from './sessions.dto.js';

/** A session of the tenant, optionally only of one agent. */
export interface SessionAddress {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly agentId?: number;
}

/** Reads and changes conversations. Each method throws `NOT_FOUND` for a session of another tenant. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionStore,
    private readonly messageLog: MessageLogStore,
    private readonly changes: SessionChangesStore,
  ) {}

  /** Sorted by creation time. */
  async list(tenantId: string, query: SessionListQuery): Promise<Page<SessionView>> {
    const {
      archived: isArchived,
      agent_id: agentId,
      executor_id: executorId,
      metadata,
      from,
      to,
      sort,
      cursor: lastId,
      limit,
    } = query;
    const isOldestFirst = sort === 'created_at';
    const filter = { isArchived, agentId, executorId, metadata, from, to, isOldestFirst, lastId, limit };
    return toPage(await this.sessions.list(tenantId, filter), ({ uuid }) => uuid);
  }

  async find(tenantId: string, sessionId: string): Promise<SessionView> {
    const view = await this.sessions.find(tenantId, sessionId);
    if (view === null) throw sessionNotFound();
    return view;
  }

  async findSummary(tenantId: string, sessionId: string): Promise<SummaryView> {
    const view = await this.sessions.findSummary(tenantId, sessionId);
    if (view === null) throw sessionNotFound();
    return view;
  }

  /** All messages, calls and answers of finished executions, in order (S4-21). */
  async listLog(
    tenantId: string,
    sessionId: string,
    { limit, cursor: afterSequence }: MessageLogQuery,
  ): Promise<Page<LogMessageView>> {
    const [exists, rows] = await Promise.all([
      this.sessions.exists(tenantId, sessionId),
      this.messageLog.list(tenantId, sessionId, { afterSequence, limit }),
    ]);
    if (!exists) throw sessionNotFound();
    return toPage(rows, ({ message_seq }) => message_seq);
  }

  /** Sorted oldest first. Throws `NOT_FOUND`, also for a session of another agent. */
  async listMessages(
    { tenantId, sessionId, agentId }: SessionAddress,
    { limit, cursor: afterId }: MessageListQuery,
  ): Promise<Page<ChatMessageView>> {
    const [exists, rows] = await Promise.all([
      this.sessions.exists(tenantId, sessionId, agentId),
      this.sessions.listMessages(tenantId, sessionId, { afterId, limit }),
    ]);
    if (!exists) throw sessionNotFound();
    return toPage({ ...rows, rows: rows.rows.map(asDeclaredNow) }, byId);
  }

  async update(tenantId: string, sessionId: string, fields: SessionPatchDto): Promise<SessionView> {
    await this.changes.update(tenantId, sessionId, fields);
    return this.find(tenantId, sessionId);
  }

  async setArchived(tenantId: string, sessionId: string, isArchived: boolean): Promise<SessionView> {
    await this.changes.setArchived(tenantId, sessionId, isArchived);
    return this.find(tenantId, sessionId);
  }

  async reset(tenantId: string, sessionId: string): Promise<SessionView> {
    await this.changes.reset(tenantId, sessionId);
    return this.find(tenantId, sessionId);
  }

  /** Throws `CONVERSATION_LOCKED` without deleting anything while an execution of the session is unfinished. */
  async delete(tenantId: string, sessionId: string): Promise<void> {
    const deletion = await this.changes.delete(tenantId, sessionId);
    if (deletion === 'not_found') throw sessionNotFound();
    if (deletion === 'busy') throw executionsNotEnded();
  }
}

/** Converts the data to the domains' current format, since an older release may have stored it (S2-23). */
function asDeclaredNow(message: ChatMessageView): ChatMessageView {
  return { ...message, data: domains.messageData.current(message.data) };
}

function executionsNotEnded(): AppError {
  return new AppError({
    code: 'CONVERSATION_LOCKED',
    kind: 'conflict',
    message: 'an execution of the session has not ended; cancel it, or delete the session when it has ended',
  });
}
