import type { ErrorDescription } from '#libs/kernel';

const answer = (status: number, meaning: string, advice: string): ErrorDescription => ({
  seen: ['answer'],
  status: [status],
  meaning,
  advice,
});

/** Error codes of order entry, beside those of the service. */
export const orderEntryErrors = {
  ORDER_REQUEST_ID_TAKEN: {
    seen: ['execution'],
    status: [],
    meaning: 'The number that a draft was given belongs to the order request of another execution.',
    advice: 'Submit the order again; report it with the id of the execution.',
  },
  ORDER_REQUEST_NOT_CONFIRMED: answer(
    409,
    'No person has confirmed the order request: `is_saved` is false.',
    'Change it so that `is_saved` is true, then send it.',
  ),
  ORDER_REQUEST_NOT_READY: answer(
    422,
    'A line cannot be ordered as it stands; `errors` or the message name the line and its field.',
    'Correct the line, or take the confirmation back.',
  ),
  ORDER_REQUEST_OUTCOME_UNKNOWN: answer(
    409,
    'The ordering service may have the order although no answer of it says so: a change would be another order.',
    'Send it again as it is, or look there and say what became of it with `POST …/outcome/`; then it can be changed, or is sent.',
  ),
  ORDER_REQUEST_OUTCOME_KNOWN: answer(
    409,
    'Nobody has to say what became of the order request: it was never sent, or was refused.',
    'Read it: it can be changed, and sent.',
  ),
  ORDER_REQUEST_SENT: answer(
    409,
    'The order request is being sent, or was.',
    'Wait until it is sent or has failed; change the order where it was sent to.',
  ),
  ORDERING_SERVICE_CHANGED: answer(
    409,
    'The ordering service that the order request went to may have it, and the tenant has named another one since.',
    'Name the former one again and send the order request there, or look there and say what became of it with `POST …/outcome/`.',
  ),
  ORDERING_SERVICE_MISSING: answer(
    409,
    'The tenant has named no ordering service.',
    'Name one with `PUT /api/ordering-service/`; what a former one may have is settled with `POST …/outcome/`.',
  ),
  SEED_ROW_INVALID: {
    seen: ['operator'],
    status: [],
    meaning: 'A row of the example data cannot be read; the message names it.',
    advice: 'Mend the file.',
  },
} satisfies Record<string, ErrorDescription>;
