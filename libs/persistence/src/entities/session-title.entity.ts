import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ChatSessionEntity } from './chat-session.entity.js';
import { ExecutionEntity } from './execution.entity.js';

/** Order to name a session, written by the transaction that settles the execution it is named after (S4-16, S4-41). */
@Entity('session_title')
@Index('session_title_pending_idx', ['createdAt'], { where: `"title" IS NULL` })
export class SessionTitleEntity {
  @ForeignKey(() => ChatSessionEntity, { onDelete: 'CASCADE', name: 'session_title_session_fkey' })
  @PrimaryColumn('uuid', { name: 'session_id', primaryKeyConstraintName: 'session_title_pkey' })
  sessionId!: string;

  /** Execution with the stream that reports `title_generated`. */
  @Index('session_title_execution_key', { unique: true })
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE', name: 'session_title_execution_fkey' })
  @Column('uuid', { name: 'execution_id' })
  executionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Null while pending. */
  @Column('varchar', { length: 500, nullable: true })
  title!: string | null;

  /** Number of tries, including one in progress. */
  @Column('integer', { default: 0 })
  tries!: number;

  /** First try that asks the fallback; null while the model itself is asked. */
  @Column('integer', { name: 'fallback_from', nullable: true })
  fallbackFrom!: number | null;

  @Column('timestamptz', { name: 'first_tried_at', nullable: true })
  firstTriedAt!: Date | null;

  @Column('timestamptz', { name: 'dispatched_at', nullable: true })
  dispatchedAt!: Date | null;

  /** End of the current worker's lease. */
  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
