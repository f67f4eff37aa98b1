import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { OperationBody, Writing } from './operation.js';
import { encodeText, plainText, serializePairs } from './serialize-value.js';

/** What is sent as body. */
export interface SentBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** A field is not what it has to be; the message names it and what is allowed. */
export class UnsendableArgument extends Error {
  override readonly name = 'UnsendableArgument';
}

/**
 * A body as it is sent. Throws an `UnsendableArgument` where bytes are not written in base64.
 *
 * @param bytesFields fields whose value is base64, to be sent as files
 */
export async function serializeBody(
  body: OperationBody,
  value: JsonValue,
  bytesFields: ReadonlySet<string>,
): Promise<SentBody> {
  switch (body.kind) {
    case 'json':
      return { contentType: body.mediaType, content: JSON.stringify(value) };
    case 'form':
      return { contentType: body.mediaType, content: formText(body, asFields(value)) };
    case 'multipart':
      return multipart(body, asFields(value), bytesFields);
    case 'text':
      return { contentType: body.mediaType, content: plainText(value) };
    case 'bytes':
      return { contentType: body.mediaType, content: bytesOf('body', value) };
  }
}

function asFields(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** How a field of a form is written where the description does not say: a list as repeated fields, an object as JSON. */
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

async function multipart(
  body: OperationBody,
  fields: JsonObject,
  bytesFields: ReadonlySet<string>,
): Promise<SentBody> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const contentType = body.fields.get(name)?.contentType ?? null;
    const parts = Array.isArray(value) ? (value as JsonValue[]) : [value];
    for (const part of parts) {
      if (bytesFields.has(name)) form.append(name, fileOf(name, part, contentType), name);
      else if (isJsonObject(part) || Array.isArray(part))
        form.append(name, new Blob([JSON.stringify(part)], { type: 'application/json' }));
      else form.append(name, plainText(part).toWellFormed());
    }
  }
  const written = new Response(form);
  const contentType = written.headers.get('content-type') ?? body.mediaType;
  return { contentType, content: new Uint8Array(await written.arrayBuffer()) };
}

function fileOf(name: string, value: JsonValue, contentType: string | null): Blob {
  const type = contentType?.split(',')[0]?.trim() ?? 'application/octet-stream';
  return new Blob([bytesOf(name, value)], { type: type.includes('*') ? 'application/octet-stream' : type });
}

function bytesOf(name: string, value: JsonValue): Uint8Array<ArrayBuffer> {
  const isBase64 = typeof value === 'string' && /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value);
  if (!isBase64) throw new UnsendableArgument(`Invalid value of ${name}: it must be bytes in base64`);
  return new Uint8Array(Buffer.from(value, 'base64'));
}
