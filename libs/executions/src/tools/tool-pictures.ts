import type { DeliveredFile } from '#libs/agent-core';
import { readingWayOf, type PromptMedia, type ReadableMedia } from '#libs/payloads';

/** Pictures of one call that a model sees. */
const MAX_PICTURES = 4;
/** Their bytes together, before they are encoded: they are kept in the journal, and sent with every later request. */
const MAX_BYTES = 3 * 2 ** 20;

/** The pictures among the files of a tool, where the model reads pictures, as far as there is room for them. */
export function picturesOf(
  files: readonly DeliveredFile[],
  native: readonly ReadableMedia[],
): readonly PromptMedia[] {
  const pictures: PromptMedia[] = [];
  let room = MAX_BYTES;
  for (const delivered of files) {
    if (delivered.kind !== 'file' || delivered.file.type !== 'blob') continue;
    const { mime_type: mediaType, filename: name, size, base64 } = delivered.file;
    if (readingWayOf(mediaType, native) !== 'image' || size > room || size === 0) continue;
    if (pictures.length === MAX_PICTURES) break;
    room -= size;
    pictures.push({ kind: 'image', name, mediaType, base64 });
  }
  return pictures;
}
