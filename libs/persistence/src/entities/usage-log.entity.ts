import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ExecutionEntity } from './execution.entity.js';

/** The tokens of one model call, answered or not (S4-17); null where the provider did not say. */
@Entity('usage_log')
@Index(['tenantId', 'executedAt'])
export class UsageLogEntity {
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'usage_log_pkey' })
  executionId!: string;

  /** Which loop of the execution made the call; `''` is the root. */
  @PrimaryColumn('text', { default: '', primaryKeyConstraintName: 'usage_log_pkey' })
  scope!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'usage_log_pkey' })
  round!: number;

  /** Which call of its round, from 1: one that failed may have been paid too. */
  @PrimaryColumn('integer', { name: 'try_number', default: 1, primaryKeyConstraintName: 'usage_log_pkey' })
  tryNumber!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('integer', { name: 'agent_id' })
  agentId!: number;

  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  @Column('text')
  model!: string;

  @Column('text', { name: 'response_id', nullable: true })
  responseId!: string | null;

  @Column('bigint', { name: 'input_tokens', nullable: true })
  inputTokens!: string | null;

  @Column('bigint', { name: 'cached_input_tokens', nullable: true })
  cachedInputTokens!: string | null;

  @Column('bigint', { name: 'output_tokens', nullable: true })
  outputTokens!: string | null;

  @Column('bigint', { name: 'reasoning_tokens', nullable: true })
  reasoningTokens!: string | null;

  @Column('bigint', { name: 'total_tokens', nullable: true })
  totalTokens!: string | null;

  /** Exact, by the prices of the day; null when it cannot be said. */
  @Column('numeric', { name: 'cost_usd', nullable: true })
  costUsd!: string | null;

  @CreateDateColumn({ name: 'executed_at', type: 'timestamptz' })
  executedAt!: Date;
}
