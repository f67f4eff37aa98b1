import type { JsonObject } from '#libs/kernel';
import { jsonObjectSchema } from '../json-schemas.js';

/** What a message holds beside its text: what the front end sent and what tools baked. The domains declare the keys. */
export type AdditionalData = JsonObject;

/** The part of it that the service adds while it works: results of tools that the user interface shows (S2-23). */
export type BakedData = JsonObject;

/** `ChatMessage.data`; the document of the API says under this name what the domains declare. */
export const additionalDataSchema = jsonObjectSchema.meta({ id: 'AdditionalData' });

/**
 * Keeps what a tool just produced for the next assistant message; empty values are not held, the last value wins
 * (S2-28).
 */
export function holdBakedData(held: BakedData, produced: BakedData | undefined): BakedData {
  if (produced === undefined) return held;
  const truthy = Object.entries(produced).filter(([, value]) => Boolean(value));
  return { ...held, ...Object.fromEntries(truthy) };
}
