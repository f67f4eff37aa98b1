import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TenantEntity } from './tenant.entity.js';

/** Time at which all facts about an executor were deleted; earlier accepted executions are not learnt from. */
@Entity('forgotten_executor')
export class ForgottenExecutorEntity {
  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT', name: 'forgotten_executor_tenant_fkey' })
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'forgotten_executor_pkey' })
  tenantId!: string;

  /** SHA-256 of tenant and executor, so that the identity is not stored. */
  @PrimaryColumn('bytea', { name: 'executor_hash', primaryKeyConstraintName: 'forgotten_executor_pkey' })
  executorHash!: Buffer;

  @Column('timestamptz', { name: 'forgotten_at' })
  forgottenAt!: Date;
}
