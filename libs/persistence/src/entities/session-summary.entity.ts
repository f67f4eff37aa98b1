import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ChatSessionEntity } from './chat-session.entity.js';

/** What stands for the older part of a conversation in its prompts. Written by a job, as an order asks for. */
@Entity('session_summary')
export class SessionSummaryEntity {
  @ForeignKey(() => ChatSessionEntity, { onDelete: 'CASCADE', name: 'session_summary_session_fkey' })
  @PrimaryColumn('uuid', { name: 'session_id', primaryKeyConstraintName: 'session_summary_pkey' })
  sessionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** `engine_first_turn` of the session when it began: after a reset it stands for nothing any more. */
  @Column('integer', { name: 'first_turn' })
  firstTurn!: number;

  /** The last turn that it stands for. */
  @Column('integer', { name: 'through_turn' })
  throughTurn!: number;

  /** From 1; each one that takes its place has the next. */
  @Column('integer')
  version!: number;

  @Column('text')
  content!: string;

  @Column('integer')
  tokens!: number;

  /** Who wrote it. */
  @Column('text')
  model!: string;

  @Column('timestamptz', { name: 'written_at' })
  writtenAt!: Date;
}
