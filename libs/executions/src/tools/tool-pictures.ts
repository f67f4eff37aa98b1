import type { DeliveredFile } from '#libs/agent-core';
import { readingWayOf, type PromptMedia, type ReadableMedia } from '#libs/payloads';

/** Maximum pictures of one call that a model sees. */
const MAX_PICTURES = 4;
/** Maximum bytes of them together, before encoding: the journal keeps them, and every later request sends them. */
const MAX_BYTES = 3 * 2 ** 20;

/** The pictures of one call that a model sees, and a note of the others. */
interface SeenPictures {
  readonly pictures: readonly PromptMedia[];
  /** Says in the text that the model reads how many it does not see, and why; `''` where it sees all. */
  readonly note: string;
}

/** The pictures among the files of a tool, where the model reads pictures, as far as there is room for them. */
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
