export { supportDeskEntities } from './entities/support-desk-entities.js';
export { supportDeskMigrations } from './migrations/support-desk-migrations.js';
export { refundTool } from './refunds/refund.tool.js';
export { supportDesk } from './support-desk.domain.js';
export { findTicketsTool } from './tickets/find-tickets.tool.js';
export { openTicketTool } from './tickets/open-ticket.tool.js';
export { TICKET_OPENED, ticketOpened } from './tickets/ticket-opened.js';
