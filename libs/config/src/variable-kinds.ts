import { z } from 'zod';

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** An empty variable means: not set. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
