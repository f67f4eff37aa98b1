/** Media that some models read without conversion. */
export const READABLE_MEDIA = ['image', 'pdf'] as const;
export type ReadableMedia = (typeof READABLE_MEDIA)[number];

/** Form in which a model reads a file: picture, file, or extracted text. */
export const READING_WAYS = ['image', 'file', 'text'] as const;
export type ReadingWay = (typeof READING_WAYS)[number];

/** Media types with a document parser that extracts text. */
const WITH_TEXT: ReadonlySet<string> = new Set([
  ...['text/plain', 'text/markdown', 'text/html', 'text/csv', 'application/pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]);
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * How a file of this type reaches a model; null if it cannot.
 * @param native media that the model reads without conversion
 */
export function readingWayOf(mediaType: string, native: readonly ReadableMedia[]): ReadingWay | null {
  if (IMAGES.has(mediaType)) return native.includes('image') ? 'image' : null;
  if (mediaType === 'application/pdf' && native.includes('pdf')) return 'file';
  return WITH_TEXT.has(mediaType) ? 'text' : null;
}
