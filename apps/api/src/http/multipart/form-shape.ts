/** Fields and file of a route's `multipart/form-data`. */
export interface FormShape {
  /** Maximum length of each text field in bytes, by name. */
  readonly fields: Readonly<Record<string, number>>;
  /** The required file. */
  readonly file: { readonly name: string; readonly mostBytes: number };
}

/** A file with the client's name and media type, which are unverified. */
export interface FormFile {
  readonly fileName: string | null;
  readonly mediaType: string | null;
  /** Maximum length in bytes, derived from the request's `Content-Length`. */
  readonly announcedBytes: number;
  /** Can be read once. Throws where the form breaks off or the file exceeds its limit. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A completely received form. */
export interface Form<Kept> {
  /** The text fields by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The result of storing the file. */
  readonly file: Kept;
}

/** Maximum overhead of one part, its boundary and headers, in bytes. */
export const PART_BYTES = 16_384;

/** Pure: maximum number of parts. */
export function mostParts({ fields }: FormShape): number {
  return Object.keys(fields).length + 1;
}

/** Pure: maximum length of the form in bytes, with boundaries and headers. */
export function mostFormBytes(shape: FormShape): number {
  const fields = Object.values(shape.fields).reduce((sum, bytes) => sum + bytes, 0);
  return shape.file.mostBytes + fields + (mostParts(shape) + 1) * PART_BYTES;
}
