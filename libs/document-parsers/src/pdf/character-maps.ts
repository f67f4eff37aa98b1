import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const NAME = /^[\w-]+\.bcmap$/;
/** Files of the package `pdfjs-dist`, which the image includes (`scripts/build/runtime-files.ts`). */
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'cmaps');

/**
 * Provides predefined character maps, e.g. of Japanese fonts, which a PDF may reference without embedding them (ISO
 * 32000-1, 9.7.5.2). Fonts and image decoders are not provided, since pages are not rendered.
 */
export class CharacterMaps {
  async fetch({ filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    if (!NAME.test(filename)) throw new Error('no character map');
    return new Uint8Array(await readFile(join(FOLDER, filename)));
  }
}
