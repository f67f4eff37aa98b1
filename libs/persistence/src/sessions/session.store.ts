import type { DataSource } from 'typeorm';
import type { AdditionalData } from '#libs/payloads';
import { queryRows } from '../sql.js';
import { PLANNED_ANEW } from '../preparing-client.js';
import { mapRows, readPage, type PageQuery, type RowsOfPage } from '../rows/bounded-page.js';
import { executorSql, madeWithin, UUIDS, type Bind, type MadeWithin } from '../rows/list-conditions.js';

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
  readonly ordinal: number;
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

export interface SessionFilter extends MadeWithin {
  readonly isArchived: boolean;
  readonly agentId?: number | undefined;
  /** Named by one of its executions at least. */
  readonly executorId?: string | undefined;
  readonly isOldestFirst: boolean;
  /** Only sessions after this one, in the order that is asked for. */
  readonly lastId?: string | undefined;
  readonly limit: number;
}

/** What stands for the older part of a conversation. */
export interface SummaryView {
  /** Null where there is none. */
  readonly content: string | null;
  readonly version: number;
  /** The last turn, and the last message, that it stands for. */
  readonly through_turn: number | null;
  readonly through_message_id: number | null;
  readonly tokens: number | null;
  readonly model: string | null;
  /** Whether the next one is on its way. */
  readonly is_pending: boolean;
  readonly written_at: string | null;
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

/** One of turns before a reset stands for nothing any more. */
const SUMMARY_SQL = `
  SELECT summary.content, coalesce(summary.version, 0) AS version, summary.through_turn,
         (SELECT id FROM chat_message
           WHERE session_id = session.id AND turn_number <= summary.through_turn
           ORDER BY turn_number DESC, ordinal DESC LIMIT 1) AS through_message_id,
         summary.tokens, summary.model, ordered.session_id IS NOT NULL AS is_pending, summary.written_at
    FROM chat_session session
    LEFT JOIN session_summary summary
      ON summary.session_id = session.id AND summary.first_turn = session.engine_first_turn
    LEFT JOIN session_summary_order ordered ON ordered.session_id = session.id
   WHERE session.id = $2 AND session.tenant_id = $1`;

/** Planned for its values, so that the index of the active ones or of the archived ones is used. */
export function listSessionsQuery(tenantId: string, filter: SessionFilter): PageQuery {
  const { isArchived, agentId, executorId, isOldestFirst, lastId, limit } = filter;
  const parameters: unknown[] = [];
  const bind: Bind = (value, type) => `$${parameters.push(value)}::${type}`;
  const conditions = [
    `session.tenant_id = ${bind(tenantId, 'text')}`,
    isArchived ? 'NOT session.is_active' : 'session.is_active',
  ];
  if (agentId !== undefined) conditions.push(`session.agent_id = ${bind(agentId, 'int')}`);
  if (executorId !== undefined)
    conditions.push(
      `session.id = ANY(ARRAY(SELECT e.session_id FROM execution e
         WHERE e.tenant_id = $1::text AND ${executorSql('e')} = ${bind(executorId, 'text')}))`,
    );
  conditions.push(...madeWithin(filter, 'session', bind, UUIDS));
  if (lastId !== undefined)
    conditions.push(`session.id ${isOldestFirst ? '>' : '<'} ${bind(lastId, 'uuid')}`);
  return {
    select: `${PLANNED_ANEW} ${SESSION_SELECT} WHERE ${conditions.join(' AND ')}`,
    parameters,
    orderBy: isOldestFirst ? 'uuid' : 'uuid DESC',
    limit,
  };
}

function toSessionView({ created_at, updated_at, ...row }: SessionRow): SessionView {
  return { ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

/** Conversations of one tenant. */
export class SessionStore {
  constructor(private readonly dataSource: DataSource) {}

  /** In the order of their ids, which is that of their beginnings. */
  async list(tenantId: string, filter: SessionFilter): Promise<RowsOfPage<SessionView>> {
    return mapRows(
      await readPage<SessionRow>(this.dataSource, listSessionsQuery(tenantId, filter)),
      toSessionView,
    );
  }

  async find(tenantId: string, sessionId: string): Promise<SessionView | null> {
    const sql = `${SESSION_SELECT} WHERE session.tenant_id = $1 AND session.id = $2`;
    const [row] = await queryRows<SessionRow>(this.dataSource, sql, [tenantId, sessionId]);
    return row ? toSessionView(row) : null;
  }

  /** Null where there is no such session. */
  async findSummary(tenantId: string, sessionId: string): Promise<SummaryView | null> {
    const [row] = await queryRows<Omit<SummaryView, 'written_at'> & { readonly written_at: Date | null }>(
      this.dataSource,
      SUMMARY_SQL,
      [tenantId, sessionId],
    );
    return row ? { ...row, written_at: row.written_at?.toISOString() ?? null } : null;
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
      // Ids follow turns, and turns are what the index of a conversation is by.
      select: `SELECT id, role, content, data, truncated, execution_id, turn_number, ordinal, created_at FROM chat_message
        WHERE tenant_id = $1 AND session_id = $2 AND id > $3
          AND turn_number >= coalesce((SELECT turn_number FROM chat_message WHERE id = $3 AND session_id = $2), 0)`,
      parameters: [tenantId, sessionId, page.afterId ?? 0],
      orderBy: 'turn_number, ordinal',
      limit: page.limit,
    });
    return mapRows(rows, ({ truncated, created_at, ordinal: _ordinal, ...row }) => ({
      ...row,
      ...(truncated && { truncated }),
      created_at: created_at.toISOString(),
    }));
  }
}
