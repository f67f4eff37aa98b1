/** What a `multipart/form-data` of a route holds. */
export interface FormShape {
  /** Its text fields: how many bytes each may have, by name. */
  readonly fields: Readonly<Record<string, number>>;
  /** The one file, which has to be there. */
  readonly file: { readonly name: string; readonly mostBytes: number };
}

/** A file as its client names it: bytes decide what it is. */
export interface FormFile {
  readonly fileName: string | null;
  readonly mediaType: string | null;
  /** At most so many will come, by what the request says of its length. */
  readonly announcedBytes: number;
  /** To be read once. Throws where the form breaks off or the file is longer than it may be. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A form that came whole. */
export interface Form<Kept> {
  /** The text fields that were given. */
  readonly fields: Readonly<Record<string, string>>;
  /** What became of the file. */
  readonly file: Kept;
}

/** Of one part: its boundary and its headers. */
export const PART_BYTES = 16_384;

/** Pure: how many parts a form has at most. */
export function mostParts({ fields }: FormShape): number {
  return Object.keys(fields).length + 1;
}

/** Pure: how many bytes a form has at most, its boundaries and headers among them. */
export function mostFormBytes(shape: FormShape): number {
  const fields = Object.values(shape.fields).reduce((sum, bytes) => sum + bytes, 0);
  return shape.file.mostBytes + fields + (mostParts(shape) + 1) * PART_BYTES;
}
