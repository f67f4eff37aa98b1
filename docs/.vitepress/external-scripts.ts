import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const INLINE_SCRIPT = /<script(?<attributes>(?:(?! src=)[^>])*)>(?<code>[^]*?)<\/script>/g;

/** Moves the scripts of a page into files, since the policy of the service allows none within a page. */
export function moveScriptsOut(html: string, base: string, outDir: string): string {
  return html.replace(INLINE_SCRIPT, (_tag, attributes: string, code: string) => {
    const name = hashedName('inline', code);
    writeAsset(outDir, name, code);
    return `<script${attributes} src="${base}${name}"></script>`;
  });
}

/** Path of a script below the site; the hash of its content is part of it, so that it may be kept for a year. */
export function hashedName(name: string, code: string): string {
  return `assets/${name}.${createHash('sha256').update(code).digest('base64url').slice(0, 10)}.js`;
}

export function writeAsset(outDir: string, name: string, content: string): void {
  const path = join(outDir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
