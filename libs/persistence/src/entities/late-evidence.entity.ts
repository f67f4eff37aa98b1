import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ExecutionEntity } from './execution.entity.js';

/** What an attempt that may not write any more has seen of a tool call. Append-only; it decides nothing. */
@Entity('late_evidence')
export class LateEvidenceEntity {
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'late_evidence_pkey' })
  executionId!: string;

  /** Which loop of the execution made the call; `''` is the root. */
  @PrimaryColumn('text', { default: '', primaryKeyConstraintName: 'late_evidence_pkey' })
  scope!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'late_evidence_pkey' })
  round!: number;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'late_evidence_pkey' })
  position!: number;

  /** Of the attempt that saw it. */
  @Column('integer')
  epoch!: number;

  /** Of its claim, which no other attempt shares. */
  @PrimaryColumn('uuid', { name: 'claim_token', primaryKeyConstraintName: 'late_evidence_pkey' })
  claimToken!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text')
  status!: 'succeeded' | 'failed';

  /** What the model would have read, bounded. */
  @Column('text')
  output!: string;

  /** Redacted; never shown outside the audit. */
  @Column('text', { nullable: true })
  error!: string | null;

  @CreateDateColumn({ name: 'observed_at', type: 'timestamptz' })
  observedAt!: Date;
}
