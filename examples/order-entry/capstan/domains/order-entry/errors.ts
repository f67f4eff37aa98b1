import type { ErrorDescription } from 'capstan/kit';

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
    meaning: 'The number of the new draft belongs to the order request of another execution.',
    advice: 'Submit the order again; report it with the id of the execution.',
  },
  ORDER_REQUEST_NOT_CONFIRMED: answer(
    409,
    'No person has confirmed the order request: `is_saved` is false.',
    'Change it so that `is_saved` is true, then send it.',
  ),
  ORDER_REQUEST_NOT_READY: answer(
    422,
    'A line is not ready to be ordered; `errors` or the message name the line and its field.',
    'Correct the line, or take the confirmation back.',
  ),
  ORDER_REQUEST_OUTCOME_UNKNOWN: answer(
    409,
    'The ordering service may have received the order, although it never confirmed it: a change would create a second order.',
    'Send it again unchanged, or check at the ordering service and report the outcome with `POST …/outcome/`.',
  ),
  ORDER_REQUEST_OUTCOME_KNOWN: answer(
    409,
    'The outcome of the order request is known: it was never sent, or was refused.',
    'Change it or send it.',
  ),
  ORDER_REQUEST_SENT: answer(
    409,
    'The order request is being sent, or was sent.',
    'Wait until it is sent or has failed; change a sent order at the ordering service.',
  ),
  ORDERING_SERVICE_CHANGED: answer(
    409,
    'The former ordering service may have the order request, and the tenant has configured another one since.',
    'Configure the former one and send the order request again, or check there and report the outcome with `POST …/outcome/`.',
  ),
  ORDERING_SERVICE_MISSING: answer(
    409,
    'The tenant has configured no ordering service.',
    'Configure one with `PUT /api/ordering-service/`; report the outcome of orders at a former one with `POST …/outcome/`.',
  ),
} satisfies Record<string, ErrorDescription>;
