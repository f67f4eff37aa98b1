import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** Tokens of one model call, answered or not (S4-17, S4-33); null if unknown. */
@Entity('usage_log')
@Index(['tenantId', 'executedAt'])
@Check('usage_log_state_check', `state IN ('known', 'failed', 'unknown')`)
export class UsageLogEntity {
  /** Execution, or ingestion. No foreign key: usage stays when the session is deleted. */
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'usage_log_pkey' })
  executionId!: string;

  /** `''` for the execution's own loop; otherwise the scope of a sub-agent. */
  @PrimaryColumn('text', { default: '', primaryKeyConstraintName: 'usage_log_pkey' })
  scope!: string;

  /** Purpose of the call: `round`, or work beside the loop, such as `title`. */
  @PrimaryColumn('text', { default: 'round', primaryKeyConstraintName: 'usage_log_pkey' })
  purpose!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'usage_log_pkey' })
  round!: number;

  /** Number of the call within its round, from 1: failed calls may be billed too. */
  @PrimaryColumn('integer', { name: 'try_number', default: 1, primaryKeyConstraintName: 'usage_log_pkey' })
  tryNumber!: number;

  /** `known`: reported by the provider. `failed`: no answer. `unknown`: not reported, e.g. because the worker died. */
  @Column('text', { default: 'known' })
  state!: 'known' | 'failed' | 'unknown';

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Agent of the asking loop, or the sub-agent; null for other calls, such as embeddings of documents. */
  @Column('integer', { name: 'agent_id', nullable: true })
  agentId!: number | null;

  /** Null once the session is deleted. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;

  @Column('text')
  model!: string;

  @Column('text', { name: 'response_id', nullable: true })
  responseId!: string | null;

  /** Includes tokens read from and written into a cache. */
  @Column('bigint', { name: 'input_tokens', nullable: true })
  inputTokens!: string | null;

  /** Tokens read from the provider's cache. */
  @Column('bigint', { name: 'cached_input_tokens', nullable: true })
  cachedInputTokens!: string | null;

  /** Tokens written into a cache with a lifetime of five minutes. */
  @Column('bigint', { name: 'cache_creation_5m_tokens', nullable: true })
  cacheCreation5mTokens!: string | null;

  /** Tokens written into a cache with a lifetime of one hour. */
  @Column('bigint', { name: 'cache_creation_1h_tokens', nullable: true })
  cacheCreation1hTokens!: string | null;

  @Column('bigint', { name: 'output_tokens', nullable: true })
  outputTokens!: string | null;

  @Column('bigint', { name: 'reasoning_tokens', nullable: true })
  reasoningTokens!: string | null;

  @Column('bigint', { name: 'total_tokens', nullable: true })
  totalTokens!: string | null;

  /** Exact, by the prices at the time of the call; null if unknown. */
  @Column('numeric', { name: 'cost_usd', nullable: true })
  costUsd!: string | null;

  @CreateDateColumn({ name: 'executed_at', type: 'timestamptz' })
  executedAt!: Date;
}
