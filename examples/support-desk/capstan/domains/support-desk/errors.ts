import type { ErrorDescription } from 'capstan/kit';

/** Error codes of the support desk, beside those of the service. */
export const supportDeskErrors = {
  SUPPORT_TICKET_ID_TAKEN: {
    seen: ['execution'],
    status: [],
    meaning: 'The number of the new ticket belongs to the ticket of another execution.',
    advice: 'Ask again; report it with the id of the execution.',
  },
} satisfies Record<string, ErrorDescription>;
