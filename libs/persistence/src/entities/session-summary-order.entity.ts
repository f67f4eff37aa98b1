import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ChatSessionEntity } from './chat-session.entity.js';
import { LeasedRow } from './leased-row.js';

/** That a conversation has outgrown its budget, written by the transaction that settles the turn after which it has. */
@Entity('session_summary_order')
@Index('session_summary_order_due_idx', ['dueAt'])
export class SessionSummaryOrderEntity extends LeasedRow {
  @ForeignKey(() => ChatSessionEntity, { onDelete: 'CASCADE', name: 'session_summary_order_session_fkey' })
  @PrimaryColumn('uuid', { name: 'session_id', primaryKeyConstraintName: 'session_summary_order_pkey' })
  sessionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Whose usage it is. It goes with its session. */
  @Column('uuid', { name: 'execution_id' })
  executionId!: string;

  /** Who is asked. */
  @Column('text')
  model!: string;

  /** What the conversation may have, word by word. */
  @Column('integer', { name: 'most_messages' })
  mostMessages!: number;

  @Column('integer', { name: 'most_tokens' })
  mostTokens!: number;

  /** How often the next version was tried. */
  @Column('integer', { default: 0 })
  tries!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
