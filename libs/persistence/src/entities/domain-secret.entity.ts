import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A secret of a tenant that a domain keeps, sealed to its tenant and name. */
@Entity('domain_secret')
export class DomainSecretEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'domain_secret_pkey' })
  tenantId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'domain_secret_pkey' })
  name!: string;

  @Column('text')
  sealed!: string;
}
