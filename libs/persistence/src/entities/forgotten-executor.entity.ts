import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TenantEntity } from './tenant.entity.js';

/** Until when everything about an executor was forgotten: nothing is learnt of what was accepted before. */
@Entity('forgotten_executor')
export class ForgottenExecutorEntity {
  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT', name: 'forgotten_executor_tenant_fkey' })
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'forgotten_executor_pkey' })
  tenantId!: string;

  /** SHA-256 of tenant and executor: who they are is forgotten, too. */
  @PrimaryColumn('bytea', { name: 'executor_hash', primaryKeyConstraintName: 'forgotten_executor_pkey' })
  executorHash!: Buffer;

  @Column('timestamptz', { name: 'forgotten_at' })
  forgottenAt!: Date;
}
