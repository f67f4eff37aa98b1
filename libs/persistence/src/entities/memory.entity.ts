import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { MemoryOrigin } from '#libs/executions';
import { TenantEntity } from './tenant.entity.js';
import { VersionedRow } from './versioned-row.js';

/** A fact about one executor of a tenant, which stands in the prompts of agents that act for them. */
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

  /** After whose execution it was learnt; null where a person wrote it. */
  @Column('integer', { name: 'agent_id', nullable: true })
  agentId!: number | null;

  @Column('varchar', { length: 500 })
  text!: string;

  /** SHA-256 of what two writings of one fact have in common. */
  @Column('bytea', { name: 'key_hash' })
  keyHash!: Buffer;

  @Column('text')
  origin!: MemoryOrigin;

  /** A person has changed what was learnt. */
  @Column('boolean', { name: 'is_edited', default: false })
  isEdited!: boolean;

  /** The model of the turn that it was learnt of had read foreign content, or a fact that was known then is foreign. */
  @Column('boolean', { name: 'is_foreign', default: false })
  isForeign!: boolean;

  /** Of which it was learnt. It may be deleted, and what was learnt of it stays. */
  @Column('uuid', { name: 'execution_id', nullable: true })
  executionId!: string | null;
}
