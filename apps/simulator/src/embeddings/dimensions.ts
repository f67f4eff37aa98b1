/** Components of a vector when the request does not say; more are not allowed than the maximum. */
export const DEFAULT_DIMENSIONS = 256;
export const MAX_DIMENSIONS = 3072;
