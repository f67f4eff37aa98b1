import { Injectable } from '@nestjs/common';
import { SessionStore, type ChatMessageView, type SessionView } from '#libs/persistence';
import { sessionNotFound } from '../executions/execution.faults.js';
import { byId, toPage, type Page } from '../http/page.js';
import type { MessageListQuery, SessionListQuery } from './session.dto.js';

/** Whose messages: a session of the tenant, or one of a certain agent. */
export interface SessionAddress {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly agentId?: number;
}

/** Reading conversations. Each throws `NOT_FOUND` for a session of another tenant. */
@Injectable()
export class SessionQueries {
  constructor(private readonly sessions: SessionStore) {}

  /** Newest first. */
  async list(
    tenantId: string,
    { archived, agent_id: agentId, cursor: beforeId, limit }: SessionListQuery,
  ): Promise<Page<SessionView>> {
    const rows = await this.sessions.list(tenantId, { isArchived: archived, agentId, beforeId, limit });
    return toPage(rows, ({ uuid }) => uuid);
  }

  async find(tenantId: string, sessionId: string): Promise<SessionView> {
    const view = await this.sessions.find(tenantId, sessionId);
    if (view === null) throw sessionNotFound();
    return view;
  }

  /** Oldest first. Throws `NOT_FOUND` also for a session of another agent. */
  async listMessages(
    { tenantId, sessionId, agentId }: SessionAddress,
    { limit, cursor: afterId }: MessageListQuery,
  ): Promise<Page<ChatMessageView>> {
    const [exists, rows] = await Promise.all([
      this.sessions.exists(tenantId, sessionId, agentId),
      this.sessions.listMessages(tenantId, sessionId, { afterId, limit }),
    ]);
    if (!exists) throw sessionNotFound();
    return toPage(rows, byId);
  }
}
