import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { LlmEntity } from './llm.entity.js';
import { VersionedRow } from './versioned-row.js';

export const USECASE_TYPES = ['BASIC_CHAT', 'RAG_CHAT', 'CUSTOM'] as const;
export type UsecaseType = (typeof USECASE_TYPES)[number];

/** Stored definition of an agent: use case type, model, prompt, configuration, tools (S3-2). */
@Entity('agent')
@Index(['tenantId', 'id'])
@Index('agent_name_idx', ['tenantId', 'name'])
export class AgentEntity extends VersionedRow {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('text', { name: 'usecase_type' })
  usecaseType!: UsecaseType;

  @ForeignKey(() => LlmEntity, { onDelete: 'RESTRICT' })
  @Column('integer', { name: 'llm_id' })
  llmId!: number;

  @Column('text', { name: 'system_prompt', nullable: true })
  systemPrompt!: string | null;

  @Column('jsonb', { default: {} })
  config!: JsonObject;

  @Column('jsonb', { default: {} })
  tools!: JsonObject;

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;
}
