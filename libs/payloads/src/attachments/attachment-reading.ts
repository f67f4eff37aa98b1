/** What some models read as it is. */
export const READABLE_MEDIA = ['image', 'pdf'] as const;
export type ReadableMedia = (typeof READABLE_MEDIA)[number];

/** How a model reads a file: as a picture, as the file itself, or as the text in it. */
export const READING_WAYS = ['image', 'file', 'text'] as const;
export type ReadingWay = (typeof READING_WAYS)[number];

/** What the parsers of documents make texts of. */
const WITH_TEXT: ReadonlySet<string> = new Set([
  ...['text/plain', 'text/markdown', 'text/html', 'text/csv', 'application/pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]);
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * How a file of this type reaches a model. Null: not at all.
 *
 * @param native what the model reads as it is
 */
export function readingWayOf(mediaType: string, native: readonly ReadableMedia[]): ReadingWay | null {
  if (IMAGES.has(mediaType)) return native.includes('image') ? 'image' : null;
  if (mediaType === 'application/pdf' && native.includes('pdf')) return 'file';
  return WITH_TEXT.has(mediaType) ? 'text' : null;
}
