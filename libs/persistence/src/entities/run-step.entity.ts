import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { JsonValue } from '#libs/kernel';
import type { LateEvidence } from '#libs/payloads';
import type { ToolEffect } from '#libs/tooling';
import { ExecutionEntity } from './execution.entity.js';

/** Audit row of one tool call (S2-31 … S2-33) or skipped step: tool, input, output, status, times. */
@Entity('run_step')
@Index('run_step_tool_idx', ['tenantId', 'toolName', 'executionId'], { where: `"status" <> 'started'` })
export class RunStepEntity {
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'run_step_pkey' })
  executionId!: string;

  /** Loop of the execution that made the call; `''` is the root. */
  @PrimaryColumn('text', { default: '', primaryKeyConstraintName: 'run_step_pkey' })
  scope!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'run_step_pkey' })
  round!: number;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'run_step_pkey' })
  position!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Attempt of the latest write. */
  @Column('integer')
  attempt!: number;

  @Column('text', { name: 'call_id' })
  callId!: string;

  @Column('text', { name: 'tool_name' })
  toolName!: string;

  /** Effect that the tool declared when the call began; null for one that never began, or that an older release began. */
  @Column('text', { nullable: true })
  effect!: ToolEffect | null;

  @Column('jsonb')
  input!: JsonValue;

  /** Original arguments of the model, if they were repaired. */
  @Column('text', { name: 'sent_input', nullable: true })
  sentInput!: string | null;

  @Column('jsonb', { nullable: true })
  output!: JsonValue;

  @Column('text')
  status!: 'started' | 'skipped' | 'succeeded' | 'failed' | 'refused' | 'outcome_unknown';

  /** Redacted; shown only in the audit. */
  @Column('text', { nullable: true })
  error!: string | null;

  @CreateDateColumn({ name: 'started_at', type: 'timestamptz' })
  startedAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  /** Rows of `late_evidence` on the same call, by epoch. */
  @VirtualColumn({ type: 'jsonb', query: evidenceOf })
  lateEvidence!: (LateEvidence & { readonly error: string | null })[];
}

function evidenceOf(step: string): string {
  return `SELECT coalesce(jsonb_agg(jsonb_build_object('epoch', seen.epoch, 'status', seen.status, 'output', seen.output,
                   'error', seen.error, 'observed_at', seen.observed_at) ORDER BY seen.epoch), '[]')
            FROM late_evidence seen
           WHERE seen.execution_id = ${step}.execution_id AND seen.scope = ${step}.scope
             AND seen.round = ${step}.round AND seen.position = ${step}.position`;
}
