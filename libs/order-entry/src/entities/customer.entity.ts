import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A customer. The `search*` columns contain `toSearchText` of the names. */
@Entity('customer')
@Unique('uq_customer_account_number', ['tenantId', 'accountNumber'])
@Unique('uq_customer_tenant_id', ['tenantId', 'id'])
@Index('ix_customer_search_name', { synchronize: false })
@Index('ix_customer_search_name_ja', { synchronize: false })
export class Customer {
  @PrimaryGeneratedColumn('identity', {
    type: 'int',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_customer',
  })
  id!: number;

  @Column({ name: 'tenant_id', type: 'text' })
  tenantId!: string;

  /** Account number that the customer knows; unique within the tenant. */
  @Column({ name: 'account_number', type: 'int' })
  accountNumber!: number;

  @Column({ name: 'name', type: 'text' })
  name!: string;

  @Column({ name: 'name_ja', type: 'text', nullable: true })
  nameJa!: string | null;

  @Column({ name: 'email', type: 'text', nullable: true })
  email!: string | null;

  @Column({ name: 'search_name', type: 'text' })
  searchName!: string;

  @Column({ name: 'search_name_ja', type: 'text' })
  searchNameJa!: string;
}
