import { z } from 'zod';
import type { JsonObject, JsonValue } from '#libs/kernel';

/** Any JSON. What reaches a schema has been parsed from JSON text, so there is nothing left to check. */
export const jsonValueSchema: z.ZodType<JsonValue> = z.unknown() as z.ZodType<JsonValue>;

export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(
  z.string(),
  z.unknown(),
) as unknown as z.ZodType<JsonObject>;
