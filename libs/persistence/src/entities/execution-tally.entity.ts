import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Sums of the executions of a tenant that settled within the same five minutes, alike in status, error and duration. */
@Entity('execution_tally')
export class ExecutionTallyEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'execution_tally_pkey' })
  tenantId!: string;

  /** Beginning of the five minutes. */
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'execution_tally_pkey' })
  bucket!: Date;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'execution_tally_pkey' })
  status!: string;

  /** Empty without an error. */
  @PrimaryColumn('text', { name: 'error_code', primaryKeyConstraintName: 'execution_tally_pkey' })
  errorCode!: string;

  /** Eighths of the binary logarithm of the milliseconds that it ran for; -1: it never ran. */
  @PrimaryColumn('smallint', { name: 'duration_bucket', primaryKeyConstraintName: 'execution_tally_pkey' })
  durationBucket!: number;

  @Column('integer')
  count!: number;

  @Column('bigint', { name: 'input_tokens' })
  inputTokens!: string;

  @Column('bigint', { name: 'output_tokens' })
  outputTokens!: string;

  @Column('numeric', { name: 'cost_usd' })
  costUsd!: string;

  /** Executions whose cost is not known, or only in part. */
  @Column('integer')
  unpriced!: number;
}
