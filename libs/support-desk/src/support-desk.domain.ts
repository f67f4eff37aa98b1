import { defineDomain } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { supportAgent } from './agents/support-agent.js';
import { supportDeskEntities } from './entities/support-desk-entities.js';
import { supportDeskMigrations } from './migrations/support-desk-migrations.js';
import { refundTool } from './refunds/refund.tool.js';
import {
  findSupportShopRoute,
  removeSupportShopRoute,
  setSupportShopRoute,
} from './refunds/support-shop.route.js';
import { supportDeskErrors } from './support-desk.errors.js';
import { HIDDEN_FROM_MODEL, supportInput, supportStored } from './support-message-data.js';
import { findTicketRoute } from './tickets/find-ticket.route.js';
import { findTicketsTool } from './tickets/find-tickets.tool.js';
import { openTicketTool } from './tickets/open-ticket.tool.js';
import { ticketList } from './tickets/ticket.list.js';
import { TICKET_OPENED, ticketOpened } from './tickets/ticket-opened.js';

/** Answers customers of a shop with tickets, and with refunds that a person approves; see `examples/support-desk`. */
export const supportDesk = defineDomain<EntityManager>({
  name: 'support-desk',
  tools: (dependencies) => [
    findTicketsTool(dependencies.manager),
    openTicketTool(dependencies.manager),
    refundTool(dependencies),
  ],
  entities: supportDeskEntities,
  migrations: supportDeskMigrations,
  messageData: { input: supportInput, stored: supportStored, hiddenFromModel: HIDDEN_FROM_MODEL },
  stagedChanges: { [TICKET_OPENED]: ticketOpened },
  agents: [supportAgent],
  routes: [findTicketRoute, findSupportShopRoute, setSupportShopRoute, removeSupportShopRoute],
  lists: [ticketList],
  errors: supportDeskErrors,
});
