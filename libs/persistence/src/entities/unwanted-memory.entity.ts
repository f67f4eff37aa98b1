import { CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TenantEntity } from './tenant.entity.js';

/** Hash of a fact that a person has changed or deleted; jobs never restore it. */
@Entity('unwanted_memory')
export class UnwantedMemoryEntity {
  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT', name: 'unwanted_memory_tenant_fkey' })
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'unwanted_memory_pkey' })
  tenantId!: string;

  @PrimaryColumn('varchar', {
    name: 'executor_id',
    length: 200,
    primaryKeyConstraintName: 'unwanted_memory_pkey',
  })
  executorId!: string;

  /** Same hash as in `memory`. */
  @PrimaryColumn('bytea', { name: 'key_hash', primaryKeyConstraintName: 'unwanted_memory_pkey' })
  keyHash!: Buffer;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
