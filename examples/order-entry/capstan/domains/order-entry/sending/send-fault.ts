/** Messages for a failed try to send an order. */
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
  /** HTTP status of the answer; null without one. */
  readonly status: number | null;
  /** Whether this try may have arrived; it says nothing about earlier tries. */
  readonly arrived: 'nothing' | 'perhaps';
}

/** State of a task before a try: recorded tries, and whether the outcome was already unknown. */
export interface SendHistory {
  readonly tries: number;
  readonly isOutcomeUnknown: boolean;
}

/**
 * Whether the ordering service may have the order after a failed try. A gap in the try numbers means that a worker died
 * during a try, which may have arrived.
 * @param fault null if the failure is unknown
 */
export function mayHaveOrder(
  before: SendHistory,
  tryNumber: number,
  fault: Pick<SendFault, 'arrived'> | null,
): boolean {
  const hasDied = tryNumber > before.tries + 1;
  return before.isOutcomeUnknown || hasDied || fault?.arrived !== 'nothing';
}
