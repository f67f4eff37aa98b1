import { LessThan, MoreThan, type DataSource, type Repository } from 'typeorm';
import type { AdditionalData } from '#libs/payloads';
import { ChatMessageEntity } from '../entities/chat-message.entity.js';
import { ChatSessionEntity } from '../entities/chat-session.entity.js';
import { SessionSummaryOrderEntity } from '../entities/session-summary-order.entity.js';
import { SessionSummaryEntity } from '../entities/session-summary.entity.js';
import { ANEW } from '../plan-settings.js';
import {
  entityPageQuery,
  mapRows,
  readEntities,
  readEntityPage,
  type PageQuery,
  type RowsOfPage,
} from '../rows/bounded-page.js';
import {
  bindTo,
  madeWithin,
  metadataHas,
  UUIDS,
  whereExecutorHas,
  type MadeWithin,
} from '../rows/list-conditions.js';

export interface ChatMessageView {
  readonly id: number;
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly data: AdditionalData;
  /** Present where content was cut. */
  readonly truncated?: true;
  readonly execution_id: string | null;
  readonly turn_number: number;
  readonly created_at: string;
}

export interface MessagePage {
  readonly afterId?: number | undefined;
  readonly limit: number;
}

/** A conversation as lists and answers show it. */
export interface SessionView {
  readonly uuid: string;
  /** Null for conversations that no agent began. */
  readonly agent_id: number | null;
  /** Null until the session has a title. */
  readonly title: string | null;
  /** True while a title is being generated. */
  readonly title_pending: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly is_archived: boolean;
  /** Engine session that the next execution continues; null if it starts a new one. */
  readonly session_id: string | null;
  /** Number of accepted executions, with any status. */
  readonly turn_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SessionFilter extends MadeWithin {
  readonly isArchived: boolean;
  readonly agentId?: number | undefined;
  /** Executor of at least one execution of the session. */
  readonly executorId?: string | undefined;
  /** Pairs that the metadata of the session must all contain. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly isOldestFirst: boolean;
  /** Last session of the page before, in the same order. */
  readonly lastId?: string | undefined;
  readonly limit: number;
}

/** Summary of the older part of a conversation, for its model. */
export interface SummaryView {
  /** Null if there is no summary. */
  readonly content: string | null;
  readonly version: number;
  /** Last turn and last message that it covers. */
  readonly through_turn: number | null;
  readonly through_message_id: number | null;
  readonly tokens: number | null;
  readonly model: string | null;
  /** True while the next summary is being written. */
  readonly is_pending: boolean;
  readonly written_at: string | null;
}

type SummaryRow = Omit<SummaryView, 'written_at'> & { readonly written_at: Date | null };

/** Statement of a list, planned for its values: the indexes are partial, for active and for archived sessions. */
export function listSessionsQuery(
  dataSource: DataSource,
  tenantId: string,
  filter: SessionFilter,
): PageQuery {
  const sessions = dataSource.getRepository(ChatSessionEntity);
  const { isArchived, agentId, executorId, metadata, isOldestFirst, lastId, limit } = filter;
  const list = sessions
    .createQueryBuilder('session')
    .comment(ANEW)
    .where({ tenantId })
    .andWhere(isArchived ? 'NOT session.isActive' : 'session.isActive');
  if (agentId !== undefined) list.andWhere({ agentId });
  if (executorId !== undefined) whereExecutorHas(list, 'session.id', 'sessionId', { tenantId, executorId });
  const bind = bindTo(list);
  if (metadata !== undefined) list.andWhere(metadataHas('session', metadata, bind));
  for (const within of madeWithin(filter, 'session', bind, UUIDS)) list.andWhere(within);
  if (lastId !== undefined) list.andWhere({ id: isOldestFirst ? MoreThan(lastId) : LessThan(lastId) });
  return entityPageQuery(sessions, list, { orderBy: isOldestFirst ? 'id' : 'id DESC', limit });
}

/** Conversations of one tenant. */
export class SessionStore {
  private readonly sessions: Repository<ChatSessionEntity>;
  private readonly messages: Repository<ChatMessageEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.sessions = dataSource.getRepository(ChatSessionEntity);
    this.messages = dataSource.getRepository(ChatMessageEntity);
  }

  /** Sorted by id, which is the order of creation. */
  async list(tenantId: string, filter: SessionFilter): Promise<RowsOfPage<SessionView>> {
    const page = listSessionsQuery(this.dataSource, tenantId, filter);
    return mapRows(await readEntities(this.sessions, page), toSessionView);
  }

  async find(tenantId: string, sessionId: string): Promise<SessionView | null> {
    const session = await this.sessions.findOneBy({ tenantId, id: sessionId });
    return session && toSessionView(session);
  }

  /** Null if there is no such session. */
  async findSummary(tenantId: string, sessionId: string): Promise<SummaryView | null> {
    const row = await this.sessions
      .createQueryBuilder('session')
      .leftJoin(SessionSummaryEntity, 'summary', IS_CURRENT_SUMMARY)
      .leftJoin(SessionSummaryOrderEntity, 'ordered', 'ordered.sessionId = session.id')
      .where({ tenantId, id: sessionId })
      .select('summary.content', 'content')
      .addSelect('coalesce(summary.version, 0)', 'version')
      .addSelect('summary.throughTurn', 'through_turn')
      .addSelect(LAST_SUMMARIZED_MESSAGE, 'through_message_id')
      .addSelect('summary.tokens', 'tokens')
      .addSelect('summary.model', 'model')
      .addSelect('ordered.sessionId IS NOT NULL', 'is_pending')
      .addSelect('summary.writtenAt', 'written_at')
      .getRawOne<SummaryRow>();
    return row ? { ...row, written_at: row.written_at?.toISOString() ?? null } : null;
  }

  exists(tenantId: string, sessionId: string, agentId?: number): Promise<boolean> {
    return this.sessions.existsBy({ tenantId, id: sessionId, ...(agentId !== undefined && { agentId }) });
  }

  /** Sorted oldest first. */
  async listMessages(
    tenantId: string,
    sessionId: string,
    { afterId, limit }: MessagePage,
  ): Promise<RowsOfPage<ChatMessageView>> {
    const messages = this.messages.createQueryBuilder('message').where({ tenantId, sessionId });
    if (afterId !== undefined)
      messages.andWhere({ id: MoreThan(afterId) }).andWhere(IS_AT_TURN_OR_LATER, { afterId, sessionId });
    const page = { orderBy: 'turn_number, ordinal', limit };
    return mapRows(await readEntityPage(this.messages, messages, page), toMessageView);
  }
}

/** A summary of turns before a reset no longer counts. */
const IS_CURRENT_SUMMARY = 'summary.sessionId = session.id AND summary.firstTurn = session.engineFirstTurn';
const LAST_SUMMARIZED_MESSAGE = `(SELECT id FROM chat_message WHERE session_id = session.id
  AND turn_number <= summary.throughTurn ORDER BY turn_number DESC, ordinal DESC LIMIT 1)`;
/** Ids ascend with turns; the condition on turns lets the index of the conversation be used. */
const IS_AT_TURN_OR_LATER = `message.turnNumber >=
  coalesce((SELECT turn_number FROM chat_message WHERE id = :afterId AND session_id = :sessionId), 0)`;

function toSessionView(session: ChatSessionEntity): SessionView {
  const { id, agentId, title, isTitlePending, metadata, isActive, engineSessionId, nextTurn } = session;
  return {
    ...{ uuid: id, agent_id: agentId, title, title_pending: isTitlePending, metadata },
    is_archived: !isActive,
    ...{ session_id: engineSessionId, turn_count: nextTurn - 1 },
    created_at: session.createdAt.toISOString(),
    updated_at: session.updatedAt.toISOString(),
  };
}

function toMessageView(message: ChatMessageEntity): ChatMessageView {
  const { id, role, content, data, truncated, executionId, turnNumber, createdAt } = message;
  return {
    ...{ id, role, content, data, execution_id: executionId, turn_number: turnNumber },
    ...(truncated && { truncated }),
    created_at: createdAt.toISOString(),
  };
}
