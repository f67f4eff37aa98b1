import type { OpenAPIObject } from '@nestjs/swagger';

const TEXT = { type: 'string' } as const;
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier answer; answers 304 if nothing has changed.',
  schema: TEXT,
} as const;
const ETAG = {
  description: 'Version of the answer. Send it as `If-None-Match` to read again only what has changed.',
  schema: TEXT,
} as const;
const NOT_MODIFIED = {
  description: 'Not modified: the resource still matches `If-None-Match`.',
  headers: { ETag: ETAG },
};

/** Documents `ETag`, `If-None-Match` and 304 for every read below `/api/` of JSON, or of a file with a tag. */
export function withConditionalReads(document: OpenAPIObject): OpenAPIObject {
  for (const [path, { get }] of Object.entries(document.paths)) {
    const found = get?.responses['200'];
    if (!path.startsWith('/api/') || get === undefined || found === undefined || '$ref' in found) continue;
    const isTagged =
      found.content?.['application/json'] !== undefined || found.headers?.['ETag'] !== undefined;
    if (!isTagged) continue;
    get.parameters = [...(get.parameters ?? []), IF_NONE_MATCH];
    found.headers = { ETag: ETAG, ...found.headers };
    get.responses['304'] = NOT_MODIFIED;
  }
  return document;
}
