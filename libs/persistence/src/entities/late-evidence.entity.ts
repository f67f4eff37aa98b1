import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ExecutionEntity } from './execution.entity.js';

/** Outcome of a tool call that an attempt observed after it lost its lease. Append-only; it decides nothing. */
@Entity('late_evidence')
export class LateEvidenceEntity {
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'late_evidence_pkey' })
  executionId!: string;

  /** Loop of the execution that made the call; `''` is the root. */
  @PrimaryColumn('text', { default: '', primaryKeyConstraintName: 'late_evidence_pkey' })
  scope!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'late_evidence_pkey' })
  round!: number;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'late_evidence_pkey' })
  position!: number;

  /** Epoch of the observing attempt. */
  @Column('integer')
  epoch!: number;

  /** Claim token of the observing attempt, unique to it. */
  @PrimaryColumn('uuid', { name: 'claim_token', primaryKeyConstraintName: 'late_evidence_pkey' })
  claimToken!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text')
  status!: 'succeeded' | 'failed';

  /** Output for the model, limited in size. */
  @Column('text')
  output!: string;

  /** Redacted; shown only in the audit. */
  @Column('text', { nullable: true })
  error!: string | null;

  @CreateDateColumn({ name: 'observed_at', type: 'timestamptz' })
  observedAt!: Date;
}
