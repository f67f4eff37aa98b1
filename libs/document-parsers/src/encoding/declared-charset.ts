/** A page declares its encoding this early (WHATWG HTML, 4.2.5.4: 1 024 bytes; written by people, often later). */
const LOOKED_AT = 4_096;

/** Pure: the encoding that a media type names, such as `text/html; charset=shift_jis`. */
export function charsetOfMediaType(mediaType: string | null): string | null {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(mediaType ?? '')?.[1] ?? null;
}

/** Pure: the encoding that a page declares, by `meta` or by the declaration of XML. */
export function charsetOfPage(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, LOOKED_AT).replace(/<!--[^]*?(?:-->|$)/g, '');
  const xml = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  if (xml !== undefined) return xml;
  const declared = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ?? null;
  // A page that could be read as ASCII is not UTF-16.
  return declared !== null && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}
