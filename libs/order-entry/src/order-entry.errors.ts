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
  STAGED_CHANGE_INVALID: {
    seen: ['operator'],
    status: [],
    meaning: 'A staged order request does not have the shape that this release stages.',
    advice: 'Look for a worker of another release.',
  },
} satisfies Record<string, ErrorDescription>;
