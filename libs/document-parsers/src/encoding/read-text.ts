import type { BlockSink, DocumentBytes } from '../block-sink.js';
import { decodeText } from './decode-text.js';

/** The text of a document. Warns where bytes of it are no characters; throws `encoding` where all of it is none. */
export function readText(
  { bytes, charset }: DocumentBytes,
  { warn }: Pick<BlockSink, 'warn'>,
  declared: string | null = null,
): string {
  const { text, hasUnknown } = decodeText(bytes, charset ?? declared);
  if (hasUnknown) warn('unmapped_glyphs');
  return text;
}
