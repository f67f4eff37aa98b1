import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { wholeCharacters } from '#libs/tooling';
import { Parser } from 'htmlparser2';

/** Bytes of a page that a model reads. */
const MOST_BYTES = 8_000;
/** Nobody nests a snapshot so deep that a person reads what is below. */
const DEEPEST = 32;
/** Tags within a line. */
const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'code',
  'em',
  'font',
  'i',
  'mark',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'u',
]);
/** What nobody reads as a part of a page. */
const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);

/** The texts of a page that a user had open, its title first, one a line, each once; cut where it is long. Pure. */
export function readPage({ title = null, ...page }: JsonObject): string {
  const texts = [...new Set([...textsOf(title, 0), ...textsOf(page, 0)].flatMap(linesOf))];
  return wholeCharacters(texts.join('\n'), MOST_BYTES);
}

function textsOf(value: JsonValue, depth: number): readonly string[] {
  if (depth > DEEPEST) return [];
  if (typeof value === 'string') return [value];
  const parts = Array.isArray(value)
    ? (value as readonly JsonValue[])
    : isJsonObject(value)
      ? Object.values(value)
      : [];
  return parts.flatMap((part) => textsOf(part, depth + 1));
}

/** Of a text that may be HTML, what it shows. */
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
