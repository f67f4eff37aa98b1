import { z } from 'zod';

/** Order number of the shop, without slashes, so that it is a single path segment. */
export const orderNumberSchema = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,40}$/, 'must be 1 to 40 letters, digits or hyphens, such as A-1001');
