import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const NAME = /^[\w-]+\.bcmap$/;
/** Files of the package `pdfjs-dist`, which the image keeps (`scripts/build/runtime-files.ts`). */
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'cmaps');

/**
 * Gives the reader of PDF the character maps that a file may name without holding them, such as those of Japanese fonts
 * (ISO 32000-1, 9.7.5.2). Nothing else is given: fonts and decoders of pictures are for showing a page.
 */
export class CharacterMaps {
  async fetch({ filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    if (!NAME.test(filename)) throw new Error('no character map');
    return new Uint8Array(await readFile(join(FOLDER, filename)));
  }
}
