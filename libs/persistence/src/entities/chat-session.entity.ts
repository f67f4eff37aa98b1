import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';
import { AgentEntity } from './agent.entity.js';

/** A conversation. Its executions are turns, run one at a time in the order of their numbers. */
@Entity('chat_session')
@Index('chat_session_active_idx', ['tenantId', 'id'], { where: `"is_active"` })
@Index('chat_session_archived_idx', ['tenantId', 'id'], { where: `NOT "is_active"` })
@Index('chat_session_agent_active_idx', ['tenantId', 'agentId', 'id'], { where: `"is_active"` })
@Index('chat_session_agent_archived_idx', ['tenantId', 'agentId', 'id'], { where: `NOT "is_active"` })
// GIN index, which decorators cannot describe.
@Index('chat_session_metadata_idx', { synchronize: false })
export class ChatSessionEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Null for conversations that no agent began (S3-5). */
  @ForeignKey(() => AgentEntity, { onDelete: 'SET NULL' })
  @Column('integer', { name: 'agent_id', nullable: true })
  agentId!: number | null;

  @Column('varchar', { length: 500, nullable: true })
  title!: string | null;

  /** Pairs of the caller’s own. */
  @Column('jsonb', { default: {} })
  metadata!: Record<string, string>;

  /** Current engine session: the id of the execution that began it; null starts a new one (S4-34, S4-35). */
  @Column('text', { name: 'engine_session_id', nullable: true })
  engineSessionId!: string | null;

  /** First turn that the model is shown; a reset raises it. */
  @Column('integer', { name: 'engine_first_turn', default: 1 })
  engineFirstTurn!: number;

  /**
   * Last turn with foreign content, from its own run or from earlier turns; null without any. A turn before {@link
   * engineFirstTurn} no longer counts.
   */
  @Column('integer', { name: 'foreign_turn', nullable: true })
  foreignTurn!: number | null;

  /** Turn number of the next accepted execution. */
  @Column('integer', { name: 'next_turn', default: 1 })
  nextTurn!: number;

  /** False for an archived session, which is readable but accepts no executions. */
  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /** A title is on its way. */
  @VirtualColumn({ type: 'boolean', query: hasPendingTitle })
  isTitlePending!: boolean;
}

function hasPendingTitle(session: string): string {
  return `SELECT count(*) > 0 FROM session_title naming WHERE naming.session_id = ${session}.id AND naming.title IS NULL`;
}
