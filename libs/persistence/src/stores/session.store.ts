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

/** A conversation as lists and answers show it. */
export interface SessionView {
  readonly uuid: string;
  /** Null for conversations that no agent began. */
  readonly agent_id: number | null;
  /** Null until it has one. */
  readonly title: string | null;
  /** Whether a title is on its way. */
  readonly title_pending: boolean;
  readonly is_archived: boolean;
  /** The engine session that its next execution continues; null when that begins afresh. */
  readonly session_id: string | null;
  /** Executions that it was given, whatever became of them. */
  readonly turn_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SessionFilter {
  readonly isArchived: boolean;
  readonly agentId?: number | undefined;
  /** Only sessions begun before this one. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

type SessionRow = Omit<SessionView, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
};

const SESSION_SELECT = `
  SELECT session.id AS uuid, session.agent_id, session.title, naming.session_id IS NOT NULL AS title_pending,
         NOT session.is_active AS is_archived, session.engine_session_id AS session_id,
         session.next_turn - 1 AS turn_count, session.created_at, session.updated_at
    FROM chat_session session
    LEFT JOIN session_title naming ON naming.session_id = session.id AND naming.title IS NULL`;

function toSessionView({ created_at, updated_at, ...row }: SessionRow): SessionView {
  return { ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

/** Conversations of one tenant. */
export class SessionStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  async list(tenantId: string, filter: SessionFilter): Promise<RowsOfPage<SessionView>> {
    const rows = await readPage<SessionRow>(this.dataSource, {
      select: `${SESSION_SELECT}
        WHERE session.tenant_id = $1 AND session.is_active = $2
          AND ($3::int IS NULL OR session.agent_id = $3) AND ($4::uuid IS NULL OR session.id < $4)`,
      parameters: [tenantId, !filter.isArchived, filter.agentId ?? null, filter.beforeId ?? null],
      orderBy: 'uuid DESC',
      limit: filter.limit,
    });
    return mapRows(rows, toSessionView);
  }

  async find(tenantId: string, sessionId: string): Promise<SessionView | null> {
    const sql = `${SESSION_SELECT} WHERE session.tenant_id = $1 AND session.id = $2`;
    const [row] = await queryRows<SessionRow>(this.dataSource, sql, [tenantId, sessionId]);
    return row ? toSessionView(row) : null;
  }

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
