import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The shop for which a tenant supports customers. */
@Entity('support_shop')
export class SupportShop {
  @PrimaryColumn({ name: 'tenant_id', type: 'text', primaryKeyConstraintName: 'pk_support_shop' })
  tenantId!: string;

  /** URL for refunds, called by POST. */
  @Column({ name: 'refunds_url', type: 'text' })
  refundsUrl!: string;

  /** Whether a token is stored for the shop. */
  @Column({ name: 'has_token', type: 'boolean' })
  hasToken!: boolean;
}
