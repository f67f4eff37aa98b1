import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A resource that a set of files has applied by its name. It may be gone by now: no foreign key, and ids never recur. */
@Entity('managed_resource')
export class ManagedResourceEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'managed_resource_pkey' })
  tenantId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'managed_resource_pkey' })
  kind!: string;

  /** Its number or UUID. */
  @PrimaryColumn('text', { name: 'resource_id', primaryKeyConstraintName: 'managed_resource_pkey' })
  resourceId!: string;

  /** Name of the set of files. */
  @Column('varchar', { name: 'managed_by', length: 100 })
  managedBy!: string;

  @CreateDateColumn({ name: 'applied_at', type: 'timestamptz' })
  appliedAt!: Date;
}
