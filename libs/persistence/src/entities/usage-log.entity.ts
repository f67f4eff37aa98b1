import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** The tokens of one model call, answered or not (S4-17, S4-33); null where nobody can say. */
@Entity('usage_log')
@Index(['tenantId', 'executedAt'])
@Check('usage_log_state_check', `state IN ('known', 'failed', 'unknown')`)
export class UsageLogEntity {
  /** Or the ingestion. No foreign key: what was spent stays in the accounts when the session is deleted. */
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'usage_log_pkey' })
  executionId!: string;

  /** `''` is the execution's own loop, else that of a sub-agent. */
  @PrimaryColumn('text', { default: '', primaryKeyConstraintName: 'usage_log_pkey' })
  scope!: string;

  /** What the model was asked for: `round`, or something beside the loop, such as `title`. */
  @PrimaryColumn('text', { default: 'round', primaryKeyConstraintName: 'usage_log_pkey' })
  purpose!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'usage_log_pkey' })
  round!: number;

  /** Which call of its round, from 1: one that failed may have been paid too. */
  @PrimaryColumn('integer', { name: 'try_number', default: 1, primaryKeyConstraintName: 'usage_log_pkey' })
  tryNumber!: number;

  /** `known`: the provider reported it. `failed`: no answer. `unknown`: nobody can say, e.g. because its worker died. */
  @Column('text', { default: 'known' })
  state!: 'known' | 'failed' | 'unknown';

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Whose loop asked: the agent of the execution, or the sub-agent; null where it was none, as for vectors of documents. */
  @Column('integer', { name: 'agent_id', nullable: true })
  agentId!: number | null;

  /** Null once the session is deleted. */
  @Index('usage_log_session_idx')
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;

  @Column('text')
  model!: string;

  @Column('text', { name: 'response_id', nullable: true })
  responseId!: string | null;

  /** Those of a cache and those written into one are part of it. */
  @Column('bigint', { name: 'input_tokens', nullable: true })
  inputTokens!: string | null;

  /** Read from the provider's cache. */
  @Column('bigint', { name: 'cached_input_tokens', nullable: true })
  cachedInputTokens!: string | null;

  /** Written into a cache that lasts five minutes. */
  @Column('bigint', { name: 'cache_creation_5m_tokens', nullable: true })
  cacheCreation5mTokens!: string | null;

  /** Written into a cache that lasts an hour. */
  @Column('bigint', { name: 'cache_creation_1h_tokens', nullable: true })
  cacheCreation1hTokens!: string | null;

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
