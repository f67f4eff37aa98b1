import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { MemoryOrigin } from '#libs/executions';
import { TenantEntity } from './tenant.entity.js';
import { VersionedRow } from './versioned-row.js';

/** A fact about one executor of a tenant, used in prompts of agents that act for them. */
@Entity('memory')
@Check('memory_origin_check', `"origin" IN ('person', 'extraction')`)
@Index('memory_key', ['tenantId', 'executorId', 'keyHash'], { unique: true })
@Index('memory_tenant_idx', ['tenantId', 'id'])
@Index('memory_executor_idx', ['tenantId', 'executorId', 'id'])
@Index('memory_agent_idx', ['tenantId', 'agentId', 'id'])
export class MemoryEntity extends VersionedRow {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'memory_pkey',
  })
  id!: number;

  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT', name: 'memory_tenant_fkey' })
  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** `executor.user_id` of requests. */
  @Column('varchar', { name: 'executor_id', length: 200 })
  executorId!: string;

  /** Agent with the execution that it was learnt from; null if a person wrote it. */
  @Column('integer', { name: 'agent_id', nullable: true })
  agentId!: number | null;

  @Column('varchar', { length: 500 })
  text!: string;

  /** SHA-256 of the fact's comparison key. */
  @Column('bytea', { name: 'key_hash' })
  keyHash!: Buffer;

  @Column('text')
  origin!: MemoryOrigin;

  /** True if a person has changed a learnt fact. */
  @Column('boolean', { name: 'is_edited', default: false })
  isEdited!: boolean;

  /** True if it was learnt in a turn with foreign content or beside a foreign fact. */
  @Column('boolean', { name: 'is_foreign', default: false })
  isForeign!: boolean;

  /** Execution that it was learnt from; the fact outlives it. */
  @Column('uuid', { name: 'execution_id', nullable: true })
  executionId!: string | null;
}
