/**
 * Bytes searched for a declaration: the standard says 1 024 (WHATWG HTML, 4.2.5.4), but many pages declare it later.
 */
const LOOKED_AT = 4_096;

/** Encoding named by a media type, such as `text/html; charset=shift_jis`. Pure. */
export function charsetOfMediaType(mediaType: string | null): string | null {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(mediaType ?? '')?.[1] ?? null;
}

/** Encoding declared by a page's `meta` element or XML declaration. Pure. */
export function charsetOfPage(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, LOOKED_AT).replace(/<!--[^]*?(?:-->|$)/g, '');
  const xml = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  if (xml !== undefined) return xml;
  const declared = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ?? null;
  // A page with an ASCII-readable declaration cannot be UTF-16.
  return declared !== null && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}
