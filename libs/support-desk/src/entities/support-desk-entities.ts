import { SupportShop } from './support-shop.entity.js';
import { SupportTicket } from './support-ticket.entity.js';

/** Entities of the support desk, for the `entities` of a DataSource. */
export const supportDeskEntities = [SupportTicket, SupportShop];
