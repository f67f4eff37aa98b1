import type { JsonObject } from '#libs/kernel';
import { entriesOf, fault, flagAt, objectAt, textAt, under, type Located } from './located.js';
import type { BodyKind, FieldWriting, OperationBody } from './operation.js';
import { readFieldWriting } from './read-parameters.js';
import type { References } from './references.js';

/** Preference among several media types, best first. */
const PREFERRED: readonly BodyKind[] = ['json', 'form', 'multipart', 'text', 'bytes'];

/** The request body of an operation; null if it has none. */
export function readBody(operation: Located<JsonObject>, references: References): OperationBody | null {
  const given = under(operation, 'requestBody');
  if (given.value === undefined) return null;
  const at = objectAt(references.follow({ ...given, value: given.value }));
  const contents = entriesOf(under(at, 'content')).map(
    ([mediaType, content]) => [mediaType.toLowerCase(), objectAt(references.follow(content))] as const,
  );
  const found = PREFERRED.flatMap((kind) =>
    contents.filter(([mediaType]) => kindOf(mediaType) === kind).map((content) => ({ kind, content })),
  )[0];
  if (found === undefined) throw fault(at, 'must have a content');
  const [mediaType, content] = found.content;
  const schema = under(content, 'schema');
  return {
    isRequired: flagAt(under(at, 'required'), false),
    mediaType: sentMediaType(mediaType, found.kind),
    kind: found.kind,
    schema: schema.value === undefined ? null : { ...schema, value: schema.value },
    fields: new Map(entriesOf(under(content, 'encoding')).map(([name, field]) => [name, readField(field)])),
  };
}

function kindOf(mediaType: string): BodyKind {
  const [type = ''] = mediaType.split(';');
  const essence = type.trim();
  if (/^(application\/json|[^/]+\/[^/]+\+json|\*\/\*|application\/\*)$/.test(essence)) return 'json';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (essence === 'multipart/form-data') return 'multipart';
  return /^text\/|\/xml$|\+xml$|yaml$/.test(essence) ? 'text' : 'bytes';
}

/** Replaces a media range or a value that is invalid in a header by a concrete type. */
function sentMediaType(mediaType: string, kind: BodyKind): string {
  if (kind === 'json' && mediaType.includes('*')) return 'application/json';
  if (/^[\x21-\x7e ]{1,128}$/.test(mediaType) && !mediaType.includes('*')) return mediaType;
  return kind === 'text' ? 'text/plain' : 'application/octet-stream';
}

function readField(given: Located): FieldWriting {
  const at = objectAt(given);
  const contentType = textAt(under(at, 'contentType'));
  return { writing: readFieldWriting(at), contentType: contentType ?? null };
}
