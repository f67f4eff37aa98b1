import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Secret that a domain stores for a tenant, sealed for its tenant and name. */
@Entity('domain_secret')
export class DomainSecretEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'domain_secret_pkey' })
  tenantId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'domain_secret_pkey' })
  name!: string;

  @Column('text')
  sealed!: string;
}
