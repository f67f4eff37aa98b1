/** Inline tags, which break no line. */
const INLINE = new Set('a abbr b bdi code em font i mark small span strong sub sup u'.split(' '));
/** Tags without visible text. */
const UNREAD = new Set('script style noscript template svg head'.split(' '));
/** Ends of tags whose text holds no other tags. */
const RAW_ENDS: ReadonlyMap<string, RegExp> = new Map([
  ['script', /<\/script/gi],
  ['style', /<\/style/gi],
]);
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const TAG = /^<(?<end>\/?)(?<name>[a-zA-Z][\w:-]*)/;
/** Characters of the longest name of a tag that is looked at. */
const MAX_NAME = 64;

/** Text of HTML as a browser would show it, with a line break at each block. Takes time in proportion to its length. */
export function visibleText(html: string): string {
  const pieces: string[] = [];
  let unread = 0;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const text = html.slice(at, open === -1 ? html.length : open);
    if (unread === 0) pieces.push(decoded(text));
    if (open === -1) break;
    const { end, name } = TAG.exec(html.slice(open, open + MAX_NAME))?.groups ?? {};
    if (html.startsWith('<!', open)) at = after(html, html.startsWith('<!--', open) ? '-->' : '>', open);
    else if (name === undefined) {
      if (unread === 0) pieces.push('<');
      at = open + 1;
    } else {
      const tag = name.toLowerCase();
      if (!INLINE.has(tag)) pieces.push('\n');
      if (UNREAD.has(tag)) unread = end === '' ? unread + 1 : Math.max(0, unread - 1);
      at = after(html, '>', open);
      const raw = end === '' ? RAW_ENDS.get(tag) : undefined;
      if (raw !== undefined) at = beginningOf(html, raw, at);
    }
  }
  return pieces.join('');
}

/** Place behind the next `mark`; the end of the text without one. */
function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

function beginningOf(html: string, mark: RegExp, from: number): number {
  mark.lastIndex = from;
  return mark.exec(html)?.index ?? html.length;
}

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : '';
  });
}
