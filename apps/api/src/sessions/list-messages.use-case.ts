import { Injectable } from '@nestjs/common';
import { SessionStore, type ChatMessageView } from '#libs/persistence';
import { sessionNotFound } from '../executions/execution.faults.js';
import { byId, toPage, type Page } from '../http/page.js';
import type { MessageListQuery } from './message.dto.js';

/** Whose messages: a session of the tenant, or one of a certain agent. */
export interface SessionAddress {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly agentId?: number;
}

/** The messages of a conversation, oldest first. Throws `NOT_FOUND` also for a session of another agent. */
@Injectable()
export class ListMessages {
  constructor(private readonly sessions: SessionStore) {}

  async execute(
    address: SessionAddress,
    { limit, cursor: afterId }: MessageListQuery,
  ): Promise<Page<ChatMessageView>> {
    const { tenantId, sessionId, agentId } = address;
    const [exists, rows] = await Promise.all([
      this.sessions.exists(tenantId, sessionId, agentId),
      this.sessions.listMessages(tenantId, sessionId, { afterId, limit }),
    ]);
    if (!exists) throw sessionNotFound();
    return toPage(rows, byId);
  }
}
