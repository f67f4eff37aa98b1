import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const COMPRESSED = /\.(?:css|js)$/;
/** A smaller file fits into one packet anyway. */
const MIN_BYTES = 1_400;

/**
 * Writes scripts and style sheets of a folder compressed beside themselves, as `.br` and `.gz`: the service sends these, and
 * need not compress the same bytes for each browser.
 */
export function writeCompressed(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!COMPRESSED.test(name)) continue;
    const path = join(folder, name);
    const content = readFileSync(path);
    if (content.length < MIN_BYTES) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
