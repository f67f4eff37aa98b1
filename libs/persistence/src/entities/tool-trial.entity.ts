import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';

/** Test of a tool server by a person: author, time, request and answer. It outlives the server. */
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

  /** Name for models; null for a probe, which only lists tools. */
  @Column('text', { name: 'tool_name', nullable: true })
  toolName!: string | null;

  @Column('jsonb', { nullable: true })
  input!: JsonObject | null;

  /** Sealed JSON, deleted once a worker has claimed the trial. */
  @Column('text', { name: 'tokens_sealed', nullable: true })
  tokensSealed!: string | null;

  /** User with the connection to use. */
  @Column('varchar', { name: 'user_id', length: 200, nullable: true })
  userId!: string | null;

  /** Public part of the requesting API key; null if no key is required. */
  @Column('text', { name: 'asked_by', nullable: true })
  askedBy!: string | null;

  @Column('text', { default: 'asked' })
  status!: 'asked' | 'running' | 'done' | 'abandoned';

  /** Answer for the requester. */
  @Column('jsonb', { nullable: true })
  answer!: JsonObject | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
