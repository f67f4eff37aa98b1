import { z } from 'zod';
import type { JsonObject, JsonValue } from '#libs/kernel';

/** Any JSON value. Inputs were parsed from JSON text, so no further check is needed. */
export const jsonValueSchema: z.ZodType<JsonValue> = z.unknown() as z.ZodType<JsonValue>;

export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(
  z.string(),
  z.unknown(),
) as unknown as z.ZodType<JsonObject>;
