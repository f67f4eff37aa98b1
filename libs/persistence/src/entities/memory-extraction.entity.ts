import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ExecutionEntity } from './execution.entity.js';
import { LeasedRow } from './leased-row.js';

/** Pending memory extraction of an execution, written by the transaction that settles it. */
@Entity('memory_extraction')
@Index('memory_extraction_due_idx', ['dueAt'], { where: `"ended_at" IS NULL` })
@Index('memory_extraction_line_idx', ['tenantId', 'executorId', 'createdAt', 'executionId'], {
  where: `"ended_at" IS NULL`,
})
export class MemoryExtractionEntity extends LeasedRow {
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE', name: 'memory_extraction_execution_fkey' })
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'memory_extraction_pkey' })
  executionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { name: 'executor_id', length: 200 })
  executorId!: string;

  @Column('integer', { name: 'agent_id' })
  agentId!: number;

  /** True if the execution's model had read foreign content, in this turn or an earlier one. */
  @Column('boolean', { name: 'is_foreign', default: false })
  isForeign!: boolean;

  /** Number of tries, including one in progress. */
  @Column('integer', { default: 0 })
  tries!: number;

  /** Last try with a recorded cost. */
  @Column('integer', { name: 'recorded_try', default: 0 })
  recordedTry!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Null while the extraction is pending. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  /** `learnt`, `skipped` or `given_up`. */
  @Column('text', { nullable: true })
  outcome!: string | null;
}
