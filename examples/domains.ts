/** The domains used by the examples, in the format of DOMAINS; quickstart and dev load them. */
export const EXAMPLE_DOMAINS = 'order-entry,support-desk';
