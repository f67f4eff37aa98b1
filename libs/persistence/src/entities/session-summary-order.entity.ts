import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ChatSessionEntity } from './chat-session.entity.js';
import { LeasedRow } from './leased-row.js';

/** Order to summarize a conversation above its budget, written by the transaction that settles the turn which exceeds it. */
@Entity('session_summary_order')
@Index('session_summary_order_due_idx', ['dueAt'])
export class SessionSummaryOrderEntity extends LeasedRow {
  @ForeignKey(() => ChatSessionEntity, { onDelete: 'CASCADE', name: 'session_summary_order_session_fkey' })
  @PrimaryColumn('uuid', { name: 'session_id', primaryKeyConstraintName: 'session_summary_order_pkey' })
  sessionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Execution that is charged for the summary. Deleted with its session. */
  @Column('uuid', { name: 'execution_id' })
  executionId!: string;

  /** Model to ask. */
  @Column('text')
  model!: string;

  /** Maximum messages and tokens of the conversation shown word for word. */
  @Column('integer', { name: 'most_messages' })
  mostMessages!: number;

  @Column('integer', { name: 'most_tokens' })
  mostTokens!: number;

  /** Number of tries for the next version. */
  @Column('integer', { default: 0 })
  tries!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
