import type { AdditionalData } from './additional-data.js';

/**
 * A message's text as the model reads it: followed by the context that its data gives, e.g. the order it saved
 * (S2-26, S2-27). Without data the text stays as it is.
 */
export function buildContentFromAdditionalData(
  text: string,
  data: AdditionalData | null | undefined,
): string {
  const lines = contextLines(data ?? {});
  return lines.length === 0 ? text : `${text}\n\n\n\n${lines.join('\n')}`;
}

function contextLines(data: AdditionalData): string[] {
  const { domSnapshot: _notForTheModel, ...shown } = data;
  return Object.entries(shown).flatMap(([key, value]) => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
}
