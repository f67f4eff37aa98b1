import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { StockUom } from '../order-draft/uom.js';

/**
 * An item for sale. Writers must also fill the `search*` columns: `toSearchCode` of the item number, and `toSearchText` of
 * names and pack size. They are not null, so a write without them fails.
 */
@Entity('catalogue_item')
@Unique('uq_catalogue_item_item_num', ['tenantId', 'itemNum'])
@Unique('uq_catalogue_item_tenant_id', ['tenantId', 'id'])
@Index('ix_catalogue_item_search_code', { synchronize: false })
@Index('ix_catalogue_item_search_name', { synchronize: false })
@Index('ix_catalogue_item_search_name_ja', { synchronize: false })
export class CatalogueItem {
  @PrimaryGeneratedColumn('identity', {
    type: 'int',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_catalogue_item',
  })
  id!: number;

  @Column({ name: 'tenant_id', type: 'text' })
  tenantId!: string;

  /** Item number of the seller, e.g. `VEG-1010`; unique within the tenant. */
  @Column({ name: 'item_num', type: 'text' })
  itemNum!: string;

  @Column({ name: 'name', type: 'text' })
  name!: string;

  @Column({ name: 'name_ja', type: 'text' })
  nameJa!: string;

  /** Pack size as printed on the box, e.g. `4/1 GAL`. */
  @Column({ name: 'pack_size', type: 'text' })
  packSize!: string;

  /** Unit of sale. */
  @Column({ name: 'uom', type: 'text' })
  uom!: StockUom;

  @Column({ name: 'search_code', type: 'text' })
  searchCode!: string;

  @Column({ name: 'search_name', type: 'text' })
  searchName!: string;

  @Column({ name: 'search_name_ja', type: 'text' })
  searchNameJa!: string;

  @Column({ name: 'search_pack', type: 'text' })
  searchPack!: string;
}
