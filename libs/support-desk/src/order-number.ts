import { z } from 'zod';

/** As the shop writes them: no slash, so that one is always a single part of a path. */
export const orderNumberSchema = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,40}$/, 'must be 1 to 40 letters, digits or hyphens, such as A-1001');
