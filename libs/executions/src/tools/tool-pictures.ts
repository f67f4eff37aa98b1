import type { DeliveredFile } from '#libs/agent-core';
import { readingWayOf, type PromptMedia, type ReadableMedia } from '#libs/payloads';

/** Maximum pictures of one call that a model sees. */
const MAX_PICTURES = 4;
/** Maximum total bytes of these pictures before encoding: the journal stores them and every later request sends them. */
const MAX_BYTES = 3 * 2 ** 20;

/** Pictures of one call for the model, and a note about the others. */
interface SeenPictures {
  readonly pictures: readonly PromptMedia[];
  /** States in the text for the model how many pictures are missing and why; `''` if none is. */
  readonly note: string;
}

/** Selects the pictures among a tool's files within the limits, if the model reads pictures. */
export function picturesOf(files: readonly DeliveredFile[], native: readonly ReadableMedia[]): SeenPictures {
  const all = files.flatMap((delivered) => {
    if (delivered.kind !== 'file' || delivered.file.type !== 'blob') return [];
    const { mime_type: mediaType, filename: name, size, base64 } = delivered.file;
    const isPicture = readingWayOf(mediaType, ['image']) === 'image' && size > 0;
    return isPicture ? [{ size, picture: { kind: 'image', name, mediaType, base64 } as const }] : [];
  });
  if (!native.includes('image'))
    return { pictures: [], note: noteOf(all.length, 'this model reads no pictures') };
  const pictures: PromptMedia[] = [];
  let room = MAX_BYTES;
  for (const { size, picture } of all) {
    if (size > room || pictures.length === MAX_PICTURES) continue;
    room -= size;
    pictures.push(picture);
  }
  return { pictures, note: noteOf(all.length - pictures.length, 'there is no room for more') };
}

function noteOf(missing: number, why: string): string {
  if (missing === 0) return '';
  return `\n[${missing} ${missing === 1 ? 'picture' : 'pictures'} of this answer left out: ${why}]`;
}
