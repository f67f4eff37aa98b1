import type { AdditionalData } from './additional-data.js';

/**
 * A message's text as the model reads it: followed by the context that its data gives, e.g. the id of what it saved
 * (S2-26, S2-27). `shown` is what the model may see of the data; without any the text stays as it is.
 */
export function buildContentFromAdditionalData(text: string, shown: AdditionalData): string {
  const lines = Object.entries(shown).flatMap(([key, value]) => {
    if (Array.isArray(value) && value.length === 0) return [];
    return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  return lines.length === 0 ? text : `${text}\n\n\n\n${lines.join('\n')}`;
}
