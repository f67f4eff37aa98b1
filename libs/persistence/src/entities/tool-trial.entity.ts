import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';

/** What a person tried of a tool server: who, when, what was asked and what came of it. It outlives the server. */
@Entity('tool_trial')
@Check('tool_trial_status_check', `"status" IN ('asked', 'running', 'done', 'abandoned')`)
@Index('tool_trial_created_idx', ['createdAt'])
export class ToolTrialEntity {
  /** UUID v7. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tool_trial_pkey' })
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('uuid', { name: 'server_id' })
  serverId!: string;

  /** As models call it; null for a probe, which only lists. */
  @Column('text', { name: 'tool_name', nullable: true })
  toolName!: string | null;

  @Column('jsonb', { nullable: true })
  input!: JsonObject | null;

  /** Sealed JSON, gone as soon as a worker has it. */
  @Column('text', { name: 'tokens_sealed', nullable: true })
  tokensSealed!: string | null;

  /** On whose behalf: whose connection is used. */
  @Column('varchar', { name: 'user_id', length: 200, nullable: true })
  userId!: string | null;

  /** The public part of the key of whoever asked; null where no key is asked for. */
  @Column('text', { name: 'asked_by', nullable: true })
  askedBy!: string | null;

  @Column('text', { default: 'asked' })
  status!: 'asked' | 'running' | 'done' | 'abandoned';

  /** What whoever asked was answered. */
  @Column('jsonb', { nullable: true })
  answer!: JsonObject | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
