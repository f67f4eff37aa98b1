import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The shop whose customers a tenant supports. */
@Entity('support_shop')
export class SupportShop {
  @PrimaryColumn({ name: 'tenant_id', type: 'text', primaryKeyConstraintName: 'pk_support_shop' })
  tenantId!: string;

  /** Where refunds are asked for, by POST. */
  @Column({ name: 'refunds_url', type: 'text' })
  refundsUrl!: string;

  /** Whether a token is kept for it. */
  @Column({ name: 'has_token', type: 'boolean' })
  hasToken!: boolean;
}
