import type { AdditionalData } from './additional-data.js';

/** What was looked up of values that messages carry (S2-26): by their key, then by the value as JSON. */
export type LookedUp = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * The context that a message's data gives, a line for each thing that it carries, and behind it what was looked up of it;
 * empty where it carries nothing to read. `shown` is what the model may see of the data.
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

/** The text of a message with the context that its data gives; without any the text stays as it is (S2-27). */
export function withContext(text: string, context: string): string {
  return context === '' ? text : `${text}\n\n\n\n${context}`;
}
