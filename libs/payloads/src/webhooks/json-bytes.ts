const encoder = new TextEncoder();

/** How many bytes of UTF-8 a text has. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

/** How many bytes a value has as JSON. */
export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}
