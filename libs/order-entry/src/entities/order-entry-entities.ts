import { CatalogueItem } from './catalogue-item.entity.js';
import { Customer } from './customer.entity.js';
import { ItemAlias } from './item-alias.entity.js';
import { OrderRequestChange } from './order-request-change.entity.js';
import { OrderRequest } from './order-request.entity.js';
import { OrderingService } from './ordering-service.entity.js';

/** Entities of order entry, for the `entities` of a DataSource. */
export const orderEntryEntities = [
  Customer,
  CatalogueItem,
  ItemAlias,
  OrderRequest,
  OrderRequestChange,
  OrderingService,
];
