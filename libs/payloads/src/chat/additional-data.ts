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

/** Findings on values of message data (S2-26), by key and then by the value as JSON. */
export type LookedUp = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Describes a message's data for the model: one line per key, with its finding; empty without readable data. `shown` is
 * the part that the model may see.
 */
export function describeAdditionalData(shown: AdditionalData, lookedUp: LookedUp = {}): string {
  const lines = Object.entries(shown).flatMap(([key, value]) => {
    if (Array.isArray(value) && value.length === 0) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const found = lookedUp[key]?.[JSON.stringify(value)];
    return found === undefined ? `${key}: ${text}` : `${key}: ${text} (${found})`;
  });
  return lines.join('\n');
}

/** Appends the context of a message's data to its text; without context the text stays unchanged (S2-27). */
export function withContext(text: string, context: string): string {
  return context === '' ? text : `${text}\n\n\n\n${context}`;
}
