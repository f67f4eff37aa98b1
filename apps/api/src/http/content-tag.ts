import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ExpectedFile } from '#libs/tooling';
import { notATag, readTags } from './entity-tag.js';
import { InvalidRequestError } from './request-errors.js';
import { singleHeader } from './request-values.js';

/** Tag of bytes, by their SHA-256 in hexadecimal. */
export function contentTag(sha256: string): string {
  return `"${sha256}"`;
}

/**
 * The hashes that `If-Match` names; `any` for `*`, null without the header. A weak tag matches none. Throws for a malformed
 * list of entity tags.
 */
function parseContentTags(header: string | undefined): ExpectedFile {
  if (header === undefined) return null;
  if (header.trim() === '*') return 'any';
  const tags = readTags(header);
  if (tags === null || tags.length === 0) throw notATag();
  return tags.flatMap(({ isWeak, text }) => (isWeak ? [] : [text]));
}

/**
 * The contents that a change expects: those that `If-Match` names, or none with `If-None-Match: *`. Throws for any other
 * `If-None-Match`, and for both at once, which no file could satisfy.
 */
export function parseExpectedContents(
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
): ExpectedFile {
  if (ifNoneMatch === undefined) return parseContentTags(ifMatch);
  if (ifNoneMatch.trim() !== '*' || ifMatch !== undefined) throw notOnlyNone();
  return 'none';
}

function notOnlyNone(): InvalidRequestError {
  return new InvalidRequestError([
    { header: 'If-None-Match', detail: 'must be *, for no file, and without If-Match' },
  ]);
}

/** The contents that a change expects, as a parameter of a controller's method. */
export const ExpectedContents = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return parseExpectedContents(singleHeader(request, 'if-match'), singleHeader(request, 'if-none-match'));
});
