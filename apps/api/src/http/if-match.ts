import type { ExpectedVersions } from '#libs/persistence';
import { InvalidRequestError } from './invalid-request.error.js';

/** One element of the list with what ends it (RFC 9110, 8.8.3): perhaps weak, in double quotes; perhaps nothing at all. */
const ELEMENT = /[ \t]*(?:(W\/)?"([!#-~\u0080-\u00ff]*)"[ \t]*)?(,|$)/y;
const VERSION = /^[1-9]\d{0,8}$/;

interface EntityTag {
  readonly isWeak: boolean;
  readonly text: string;
}

/**
 * The versions that an `If-Match` header names; null where any will do: without the header, and for `*`. A weak tag or
 * one that was never ours names none (RFC 9110, 13.1.1). Throws for what is no list of entity tags.
 */
export function parseIfMatch(header: string | undefined): ExpectedVersions {
  if (header === undefined || header.trim() === '*') return null;
  const tags = readTags(header);
  if (tags.length === 0) throw notATag();
  return tags.filter(({ isWeak, text }) => !isWeak && VERSION.test(text)).map(({ text }) => Number(text));
}

function readTags(header: string): EntityTag[] {
  const tags: EntityTag[] = [];
  const element = new RegExp(ELEMENT);
  for (;;) {
    const [, weak, text, end] = element.exec(header) ?? [];
    if (end === undefined) throw notATag();
    if (text !== undefined) tags.push({ isWeak: weak !== undefined, text });
    if (end === '') return tags;
  }
}

function notATag(): InvalidRequestError {
  const detail = 'must be * or the ETag of an earlier answer, in double quotes; several with commas between';
  return new InvalidRequestError([{ header: 'If-Match', detail }]);
}
