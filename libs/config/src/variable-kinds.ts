import { z } from 'zod';

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const count = (min: number, max: number) => z.coerce.number('a whole number').int().min(min).max(max);

/** Treats an empty variable as not set. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
