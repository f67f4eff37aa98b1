import { SupportShop } from './support-shop.entity.js';
import { SupportTicket } from './support-ticket.entity.js';

/** For the `entities` of a DataSource, together with those of the other libraries. */
export const supportDeskEntities = [SupportTicket, SupportShop];
