import { decodeText } from '../decode-text.js';
import type { ParseKind } from '../block-writer.js';

/** Paragraphs end at blank lines. */
export const parseText: ParseKind = async (bytes, write) => {
  for (const text of decodeText(bytes).split(/\n[ \t]*\n/)) await write({ kind: 'text', text });
};
