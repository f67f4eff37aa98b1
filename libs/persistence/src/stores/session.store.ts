import type { DataSource } from 'typeorm';
import type { AdditionalData } from '#libs/payloads';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from './bounded-page.js';

export interface ChatMessageView {
  readonly id: number;
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly data: AdditionalData;
  /** Only where there was more of it. */
  readonly truncated?: true;
  readonly execution_id: string | null;
  readonly turn_number: number;
  readonly created_at: string;
}

export interface MessagePage {
  readonly afterId?: number | undefined;
  readonly limit: number;
}

type MessageRow = Omit<ChatMessageView, 'created_at' | 'truncated'> & {
  readonly created_at: Date;
  readonly truncated: boolean;
};

/** Conversations of one tenant. */
export class SessionStore {
  constructor(private readonly dataSource: DataSource) {}

  async exists(tenantId: string, sessionId: string, agentId?: number): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `SELECT 1 FROM chat_session WHERE tenant_id = $1 AND id = $2 AND ($3::int IS NULL OR agent_id = $3)`,
      [tenantId, sessionId, agentId ?? null],
    );
    return rows.length > 0;
  }

  /** Oldest first. */
  async listMessages(
    tenantId: string,
    sessionId: string,
    page: MessagePage,
  ): Promise<RowsOfPage<ChatMessageView>> {
    const rows = await readPage<MessageRow>(this.dataSource, {
      select: `SELECT id, role, content, data, truncated, execution_id, turn_number, created_at FROM chat_message
        WHERE tenant_id = $1 AND session_id = $2 AND id > $3`,
      parameters: [tenantId, sessionId, page.afterId ?? 0],
      orderBy: 'id',
      limit: page.limit,
    });
    return mapRows(rows, ({ truncated, created_at, ...row }) => ({
      ...row,
      ...(truncated && { truncated }),
      created_at: created_at.toISOString(),
    }));
  }
}
