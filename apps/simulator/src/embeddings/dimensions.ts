/** Default number of components of a vector, and the maximum that a request may ask for. */
export const DEFAULT_DIMENSIONS = 256;
export const MAX_DIMENSIONS = 3072;
