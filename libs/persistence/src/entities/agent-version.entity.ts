import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { AgentEntity, type UsecaseType } from './agent.entity.js';

/** Immutable snapshot of an agent after one change. A trigger on `agent` writes it in the transaction of each change. */
@Entity('agent_version')
export class AgentVersionEntity {
  @ForeignKey(() => AgentEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'agent_id' })
  agentId!: number;

  @PrimaryColumn('integer')
  version!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('text', { name: 'usecase_type' })
  usecaseType!: UsecaseType;

  /** No foreign key, so that a model configuration used only by past versions may be deleted. */
  @Column('integer', { name: 'llm_id' })
  llmId!: number;

  @Column('text', { name: 'system_prompt', nullable: true })
  systemPrompt!: string | null;

  @Column('jsonb')
  config!: JsonObject;

  @Column('jsonb')
  tools!: JsonObject;

  @Column('boolean', { name: 'is_active' })
  isActive!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
