import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { base64Bytes } from './base64-bytes.js';
import { multipartBody } from './multipart-body.js';
import type { OperationBody, Writing } from './operation.js';
import { encodeText, plainText, serializePairs } from './serialize-value.js';

/** A serialized request body. */
export interface SentBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/**
 * Serializes a request body. Throws an `UnsendableArgument` for invalid base64.
 *
 * @param bytesFields fields with base64 values, sent as files
 */
export function serializeBody(
  body: OperationBody,
  value: JsonValue,
  bytesFields: ReadonlySet<string>,
): SentBody {
  switch (body.kind) {
    case 'json':
      return { contentType: body.mediaType, content: JSON.stringify(value) };
    case 'form':
      return { contentType: body.mediaType, content: formText(body, asFields(value)) };
    case 'multipart':
      return multipartBody(asFields(value), bytesFields, body.fields);
    case 'text':
      return { contentType: body.mediaType, content: plainText(value) };
    case 'bytes':
      return { contentType: body.mediaType, content: base64Bytes('body', value) };
  }
}

function asFields(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Default encoding of form fields: lists as repeated fields, objects as JSON. */
const PLAIN_FIELD: Writing = { style: 'form', explode: true, allowReserved: false };

function formText(body: OperationBody, fields: JsonObject): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    const writing = body.fields.get(name)?.writing ?? null;
    if (writing === null && isJsonObject(value))
      return [[encodeText(name), encodeText(plainText(value))] as const];
    return serializePairs(name, value, writing ?? PLAIN_FIELD);
  });
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}
