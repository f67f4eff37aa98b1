import type { BlockSink, DocumentBytes } from '../block-sink.js';
import { decodeText } from './decode-text.js';

/** Decodes a document's text. Warns of invalid bytes; throws `encoding` if there is no plausible encoding. */
export function readText(
  { bytes, charset }: DocumentBytes,
  { warn }: Pick<BlockSink, 'warn'>,
  declared: string | null = null,
): string {
  const { text, hasUnknown } = decodeText(bytes, charset ?? declared);
  if (hasUnknown) warn('unmapped_glyphs');
  return text;
}
