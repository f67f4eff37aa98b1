import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { JsonValue } from '#libs/kernel';
import type { ToolEffect } from '#libs/tooling';
import { ExecutionEntity } from './execution.entity.js';

/** The audit row of one tool call (S2-31 … S2-33), or of a step that was skipped: tool, input, output, status, times. */
@Entity('run_step')
@Index('run_step_tool_idx', ['tenantId', 'toolName', 'executionId'], { where: `"status" <> 'started'` })
export class RunStepEntity {
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'run_step_pkey' })
  executionId!: string;

  /** Which loop of the execution made the call; `''` is the root. */
  @PrimaryColumn('text', { default: '', primaryKeyConstraintName: 'run_step_pkey' })
  scope!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'run_step_pkey' })
  round!: number;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'run_step_pkey' })
  position!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** The attempt that wrote last. */
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

  /** The arguments as the model wrote them, where they were repaired. */
  @Column('text', { name: 'sent_input', nullable: true })
  sentInput!: string | null;

  @Column('jsonb', { nullable: true })
  output!: JsonValue;

  @Column('text')
  status!: 'started' | 'skipped' | 'succeeded' | 'failed' | 'refused' | 'outcome_unknown';

  /** Redacted; never shown outside the audit. */
  @Column('text', { nullable: true })
  error!: string | null;

  @CreateDateColumn({ name: 'started_at', type: 'timestamptz' })
  startedAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
