import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { Relation } from 'typeorm';
import { CatalogueItem } from './catalogue-item.entity.js';

/** A customer's name for an item. `search_alias` is unique within the tenant, so an alias belongs to one item. */
@Entity('item_alias')
@Unique('uq_item_alias_search_alias', ['tenantId', 'searchAlias'])
@Index('ix_item_alias_item', ['tenantId', 'itemId'])
@Index('ix_item_alias_search_alias', { synchronize: false })
export class ItemAlias {
  @PrimaryGeneratedColumn('identity', {
    type: 'int',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_item_alias',
  })
  id!: number;

  @Column({ name: 'tenant_id', type: 'text' })
  tenantId!: string;

  @Column({ name: 'item_id', type: 'int' })
  itemId!: number;

  @Column({ name: 'alias', type: 'text' })
  alias!: string;

  @Column({ name: 'search_alias', type: 'text' })
  searchAlias!: string;

  /** The key includes the tenant, so an alias can never point into another tenant's catalogue. */
  @ManyToOne(() => CatalogueItem, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenantId', foreignKeyConstraintName: 'fk_item_alias_item' },
    { name: 'item_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_item_alias_item' },
  ])
  item!: Relation<CatalogueItem>;
}
