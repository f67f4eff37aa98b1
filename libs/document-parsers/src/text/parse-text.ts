import type { ParseKind } from '../block-sink.js';
import { readText } from '../encoding/read-text.js';

/** Splits paragraphs at blank lines. */
export const parseText: ParseKind = async (document, sink) => {
  for (const text of readText(document, sink).split(/\n[ \t]*\n/)) await sink.write({ kind: 'text', text });
};
