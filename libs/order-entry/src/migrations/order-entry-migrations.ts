import { CreateOrderEntry1764000000100 } from './create-order-entry.migration.js';
import { ListOrderRequests1764000000101 } from './list-order-requests.migration.js';
import { SendOrderRequests1764000000162 } from './send-order-requests.migration.js';

/** For the `migrations` of a DataSource, oldest first. Order entry owns its tables and its migrations. */
export const orderEntryMigrations = [
  CreateOrderEntry1764000000100,
  ListOrderRequests1764000000101,
  SendOrderRequests1764000000162,
];
