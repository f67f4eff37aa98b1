import type { JsonObject } from '#libs/kernel';
import { jsonObjectSchema } from '../json-schemas.js';

/** Data of a message beside its text: values from the front end and results of tools. Domains declare the keys. */
export type AdditionalData = JsonObject;

/** Results of tools that the service adds during a run and the user interface shows (S2-23). */
export type BakedData = JsonObject;

/** `ChatMessage.data`; the OpenAPI document lists the keys declared by the domains under this name. */
export const additionalDataSchema = jsonObjectSchema.meta({ id: 'AdditionalData' });

/** Holds a tool's results for the next assistant message; empty values are dropped, the last value wins (S2-28). */
export function holdBakedData(held: BakedData, produced: BakedData | undefined): BakedData {
  if (produced === undefined) return held;
  const truthy = Object.entries(produced).filter(([, value]) => Boolean(value));
  return { ...held, ...Object.fromEntries(truthy) };
}
