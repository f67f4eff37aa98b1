import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Ordering service that receives a tenant's confirmed orders. Its token is a secret of the domain. */
@Entity('ordering_service')
export class OrderingService {
  @PrimaryColumn({ name: 'tenant_id', type: 'text', primaryKeyConstraintName: 'pk_ordering_service' })
  tenantId!: string;

  /** URL that orders are posted to. */
  @Column({ name: 'url', type: 'text' })
  url!: string;

  @Column({ name: 'has_token', type: 'boolean' })
  hasToken!: boolean;

  @Column({ name: 'version', type: 'integer', default: 1 })
  version!: number;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
