import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ChatSessionEntity } from './chat-session.entity.js';

/** Summary that replaces the older part of a conversation in prompts. Written by the job of an order. */
@Entity('session_summary')
export class SessionSummaryEntity {
  @ForeignKey(() => ChatSessionEntity, { onDelete: 'CASCADE', name: 'session_summary_session_fkey' })
  @PrimaryColumn('uuid', { name: 'session_id', primaryKeyConstraintName: 'session_summary_pkey' })
  sessionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** `engine_first_turn` of the session at its beginning; a reset invalidates the summary. */
  @Column('integer', { name: 'first_turn' })
  firstTurn!: number;

  /** Last turn that the summary covers. */
  @Column('integer', { name: 'through_turn' })
  throughTurn!: number;

  /** From 1; each new summary increments it. */
  @Column('integer')
  version!: number;

  @Column('text')
  content!: string;

  @Column('integer')
  tokens!: number;

  /** Model that wrote it. */
  @Column('text')
  model!: string;

  @Column('timestamptz', { name: 'written_at' })
  writtenAt!: Date;
}
