import { Parser } from 'htmlparser2';
import { wholeCharacters } from '../texts.ts';
import { isJsonObject, type Json, type JsonObject } from '../values.ts';

/** Maximum text of a page for a model, in bytes. */
const MAX_BYTES = 8_000;
/** Maximum nesting of a snapshot; deeper values are skipped. */
const DEEPEST = 32;
/** Inline tags, which break no line. */
const INLINE = new Set('a abbr b bdi code em font i mark small span strong sub sup u'.split(' '));
/** Tags without visible text. */
const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);

/** Distinct text lines of a page that a user had open, title first, truncated to 8 000 bytes. Pure. */
export function readPage({ title = null, ...page }: JsonObject): string {
  const texts = [...new Set([...textsOf(title, 0), ...textsOf(page, 0)].flatMap(linesOf))];
  return wholeCharacters(texts.join('\n'), MAX_BYTES);
}

function textsOf(value: Json, depth: number): readonly string[] {
  if (depth > DEEPEST) return [];
  if (typeof value === 'string') return [value];
  const parts = Array.isArray(value)
    ? (value as readonly Json[])
    : isJsonObject(value)
      ? Object.values(value)
      : [];
  return parts.flatMap((part) => textsOf(part, depth + 1));
}

/** Visible lines of a text that may be HTML. */
function linesOf(written: string): readonly string[] {
  let text = '';
  let unread = 0;
  const parser = new Parser({
    onopentagname: (tag) => {
      if (UNREAD.has(tag)) unread += 1;
      if (!INLINE.has(tag)) text += '\n';
    },
    ontext: (piece) => {
      if (unread === 0) text += piece;
    },
    onclosetag: (tag) => {
      if (UNREAD.has(tag)) unread -= 1;
      if (!INLINE.has(tag)) text += '\n';
    },
  });
  parser.end(written);
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return lines.filter((line) => line !== '');
}
