import type { ErrorDescription } from '#libs/kernel';

/** What order entry fails with, beside the codes of the service. */
export const orderEntryErrors = {
  ORDER_REQUEST_ID_TAKEN: {
    seen: ['execution'],
    status: [],
    meaning: 'The number that a draft was given belongs to the order request of another execution.',
    advice: 'Submit the order again; report it with the id of the execution.',
  },
  SEED_ROW_INVALID: {
    seen: ['operator'],
    status: [],
    meaning: 'A row of the example data cannot be read; the message names it.',
    advice: 'Mend the file.',
  },
} satisfies Record<string, ErrorDescription>;
