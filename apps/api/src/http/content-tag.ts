import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ExpectedFile } from '#libs/tooling';
import { notATag, readTags } from './entity-tag.js';
import { singleHeader } from './request-values.js';

/** Tag of bytes, by their SHA-256 in hexadecimal. */
export function contentTag(sha256: string): string {
  return `"${sha256}"`;
}

/**
 * The hashes that `If-Match` names; `any` for `*`, null without the header. A weak tag matches none. Throws for a malformed
 * list of entity tags.
 */
export function parseContentTags(header: string | undefined): ExpectedFile {
  if (header === undefined) return null;
  if (header.trim() === '*') return 'any';
  const tags = readTags(header);
  if (tags === null || tags.length === 0) throw notATag();
  return tags.flatMap(({ isWeak, text }) => (isWeak ? [] : [text]));
}

/** The contents that `If-Match` names, as a parameter of a controller's method. */
export const ExpectedContents = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  parseContentTags(singleHeader(context.switchToHttp().getRequest<FastifyRequest>(), 'if-match')),
);
