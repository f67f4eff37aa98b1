/** Why a try to send an order came to nothing, as people read it. */
export const SEND_FAULT_MESSAGES = {
  order_refused: 'The ordering service refused the order.',
  service_turned_away: 'The ordering service did not take the request: look at its URL and its token.',
  service_trouble: 'The ordering service cannot take orders at the moment.',
  service_unreachable: 'The ordering service cannot be reached.',
  address_unusable:
    'The address of the ordering service cannot be called: it is not public, or its certificate is not good.',
  answer_lost: 'No whole answer of the ordering service came back.',
  answer_unreadable: 'The ordering service took the request, and its answer names no order.',
  service_changed: 'The tenant has another ordering service since the order was sent.',
  service_removed: 'The tenant has removed the ordering service since the order was sent.',
  try_failed: 'The try ended without a result.',
} as const;

export const SEND_FAULT_CODES = Object.keys(SEND_FAULT_MESSAGES) as SendFaultCode[];
export type SendFaultCode = keyof typeof SEND_FAULT_MESSAGES;

export interface SendFault {
  readonly code: SendFaultCode;
  /** Of the answer, where there was one. */
  readonly status: number | null;
  /** What the service has of this try. No fault says anything of the tries before it. */
  readonly arrived: 'nothing' | 'perhaps';
}

/** Of one send: how many tries were recorded before, and whether it was unknown then what the service has. */
export interface SendHistory {
  readonly tries: number;
  readonly isOutcomeUnknown: boolean;
}

/**
 * Whether the service may have the order after a try that came to nothing. A try that was never recorded died, and may have
 * arrived.
 *
 * @param fault null where nothing is known of the try
 */
export function mayHaveOrder(
  before: SendHistory,
  tryNumber: number,
  fault: Pick<SendFault, 'arrived'> | null,
): boolean {
  const hasDied = tryNumber > before.tries + 1;
  return before.isOutcomeUnknown || hasDied || fault?.arrived !== 'nothing';
}
