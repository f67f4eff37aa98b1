import { defineDomain } from 'capstan/kit';
import { supportDeskErrors } from './errors.ts';
import { HIDDEN_FROM_MODEL, supportInput, supportStored } from './message-data.ts';
import { refund } from './refunds/refund.tool.ts';
import { deleteSupportShop, getSupportShop, setSupportShop } from './refunds/support-shop.route.ts';
import { supportAgent } from './support-agent.ts';
import { getSupportTicket } from './tickets/find-ticket.route.ts';
import { findTickets } from './tickets/find-tickets.tool.ts';
import { openTicket } from './tickets/open-ticket.tool.ts';
import { listSupportTickets } from './tickets/ticket.list.ts';
import { TICKET_OPENED, ticketOpened } from './tickets/ticket-opened.ts';

/** Answers customers of a shop with tickets, and with refunds that a person approves. */
export const supportDesk = defineDomain({
  name: 'support-desk',
  tools: [findTickets, openTicket, refund],
  agents: [supportAgent],
  messageData: { input: supportInput, stored: supportStored, hiddenFromModel: HIDDEN_FROM_MODEL },
  stagedChanges: { [TICKET_OPENED]: ticketOpened },
  routes: [getSupportTicket, getSupportShop, setSupportShop, deleteSupportShop],
  lists: [listSupportTickets],
  errors: supportDeskErrors,
});
