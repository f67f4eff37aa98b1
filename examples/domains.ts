/** The domains that the examples make use of, as DOMAINS names them. Quickstart and dev load them. */
export const EXAMPLE_DOMAINS = 'order-entry,support-desk';
