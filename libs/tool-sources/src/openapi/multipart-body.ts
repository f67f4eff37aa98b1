import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { base64Bytes } from './base64-bytes.js';
import type { FieldWriting } from './operation.js';
import { plainText } from './serialize-value.js';

interface Part {
  readonly name: string;
  /** Null for a part that is no file. */
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly content: string | Uint8Array;
}

/**
 * Serializes a `multipart/form-data` body (RFC 7578), with fields in the given order and one part per list item. Throws
 * an `UnsendableArgument` for invalid base64.
 *
 * @param bytesFields fields with base64 values, sent as files
 */
export function multipartBody(
  fields: JsonObject,
  bytesFields: ReadonlySet<string>,
  writings: ReadonlyMap<string, FieldWriting>,
): { readonly contentType: string; readonly content: Uint8Array } {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const contentType = oneType(writings.get(name)?.contentType ?? null);
    const isFile = bytesFields.has(name);
    if (!Array.isArray(value)) return [toPart(name, value, isFile ? name : null, contentType)];
    return (value as readonly JsonValue[]).map((each, at) =>
      toPart(name, each, isFile ? `file-${at + 1}` : null, contentType),
    );
  });
  const boundary = `capstan-${randomUUID()}`;
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n`),
    Buffer.from(part.content),
    Buffer.from('\r\n'),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: new Uint8Array(Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])),
  };
}

/** @param filename null for a part that is no file */
function toPart(name: string, value: JsonValue, filename: string | null, contentType: string | null): Part {
  if (filename !== null) {
    const type = contentType ?? 'application/octet-stream';
    return { name, filename, contentType: type, content: base64Bytes(name, value) };
  }
  const isJson = isJsonObject(value) || Array.isArray(value) || /[/+]json\b/.test(contentType ?? '');
  return {
    name,
    filename: null,
    contentType: contentType ?? (isJson ? 'application/json' : null),
    content: isJson ? JSON.stringify(value) : plainText(value).toWellFormed(),
  };
}

function headersOf({ name, filename, contentType }: Part): string {
  const file = filename === null ? '' : `; filename="${quoted(filename)}"`;
  const type = contentType === null ? '' : `Content-Type: ${contentType}\r\n`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n${type}`;
}

/** Escapes like HTML forms. */
function quoted(text: string): string {
  return text.toWellFormed().replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** The first media type, or null if it is a range. */
function oneType(given: string | null): string | null {
  const type = given?.split(',')[0]?.trim() ?? '';
  return /^[\x21-\x7e]+\/[\x21-\x7e ]+$/.test(type) && !type.includes('*') ? type : null;
}
