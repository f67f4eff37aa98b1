import { z } from 'zod';

/** Maximum of PostgreSQL's `integer`. */
export const MAX_ID = 2_147_483_647;
const WORDS = `must be a whole number from 1 to ${MAX_ID}`;

/** Id of a row in a path or a cursor: digits only, so that `1e3` is refused. */
export const idSchema = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.int(WORDS).min(1, WORDS).max(MAX_ID, WORDS),
);

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Any JSON; values of requests and tools are JSON already. */
export const jsonSchema = z.unknown() as z.ZodType<Json>;
export const jsonObjectSchema = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
