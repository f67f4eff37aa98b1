import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ChildProcessParser } from '#libs/document-parsers';
import { UnreadableDocumentError } from '#libs/knowledge';
import { programFile } from '../../../scripts/build/programs.ts';
import { hostileDocument, type HostileDocument } from '../../support/hostile/hostile-documents.js';
import { hostileSeed } from '../../support/hostile/hostile-seed.js';

const MAX_CHARS = 1_000_000;
const parser = new ChildProcessParser({
  timeoutMs: 60_000,
  mostRssBytes: 512 * 2 ** 20,
  mostChars: MAX_CHARS,
  program: join(import.meta.dirname, '../../..', programFile('parse-program')),
});

/** Parses a document; returns the number of characters, or the fault of an unreadable document. */
async function read({ name, bytes }: HostileDocument): Promise<number | string> {
  const hints = { fileName: name, mediaType: null };
  try {
    const parsed = await parser.parse(Readable.from([bytes]), hints, new AbortController().signal);
    let chars = 0;
    for await (const blocks of parsed.blocks)
      for (const block of blocks) chars += block.kind === 'row' ? 0 : block.text.length;
    return chars;
  } catch (error) {
    if (!(error instanceof UnreadableDocumentError)) throw error;
    return error.fault;
  }
}

describe('any hostile document', () => {
  it('is read within the limits of its process, or refused with its fault', async () => {
    await fc.assert(
      fc.asyncProperty(hostileDocument, async (document) => {
        const answer = await read(document);
        if (typeof answer === 'number') expect(answer).toBeLessThanOrEqual(MAX_CHARS);
        else expect(answer).toMatch(/^[a-z_]+$/);
      }),
      hostileSeed({ daily: 1, all: 40 }),
    );
  });
});
