import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ChildProcessParser, type ParserOptions } from '#libs/document-parsers';
import { BlobStoreUnavailableError, ReaderLostError, type ParsedBlock } from '#libs/knowledge';
import { programFile } from '../../../scripts/build/programs.ts';
import { aPdf } from '../../support/builders/pdf.js';
import { aDocx, aParagraph } from '../../support/builders/zip.js';
import { readersOf } from '../../support/services/readers-of.js';
import { waitFor } from '../../support/services/wait-for.js';

const PROGRAM = join(import.meta.dirname, '../../..', programFile('parse-program'));
const AMPLE: ParserOptions = {
  timeoutMs: 60_000,
  mostRssBytes: 1_024 * 2 ** 20,
  mostChars: 50_000_000,
  program: PROGRAM,
};

async function* inParts(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536)
    yield await Promise.resolve(bytes.subarray(at, at + 65_536));
}

async function parse(
  name: string,
  bytes: Buffer,
  options: Partial<ParserOptions> = {},
  signal = new AbortController().signal,
): Promise<{ kind: string; blocks: ParsedBlock[] }> {
  const parser = new ChildProcessParser({ ...AMPLE, ...options });
  const { kind, blocks } = await parser.parse(inParts(bytes), { fileName: name, mediaType: null }, signal);
  const all: ParsedBlock[] = [];
  for await (const batch of blocks) all.push(...batch);
  return { kind, blocks: all };
}

describe('a document that is read in a process of its own', () => {
  it.each<[string, Buffer, string]>([
    ['a.md', Buffer.from('# One\n\ntwo'), 'markdown'],
    ['a.pdf', aPdf(['One']), 'pdf'],
    ['a.docx', aDocx(aParagraph('One')), 'docx'],
  ])('comes as blocks: %s', async (name, bytes, kind) => {
    const parsed = await parse(name, bytes);
    expect(parsed.kind).toBe(kind);
    expect(parsed.blocks[0]).toMatchObject({ text: 'One' });
  });

  it('may have 50 MB', async () => {
    const { blocks } = await parse('a.pdf', aPdf(['One', 'Two'], { padBytes: 50 * 2 ** 20 }));
    expect(blocks.map((block) => (block.kind === 'row' ? '' : block.text))).toEqual(['One', 'Two']);
  });

  it('comes in many parts where it is long', async () => {
    const { blocks } = await parse('a.txt', Buffer.from('a paragraph\n\n'.repeat(50_000)));
    expect(blocks).toHaveLength(50_000);
  });

  it.each([
    ['empty', 'a.md', ''],
    ['too_complex', 'a.html', '<div>'.repeat(1_000_000)],
  ])('says what is wrong with it: %s', async (fault, name, text) => {
    await expect(parse(name, Buffer.from(text))).rejects.toMatchObject({ fault });
  });

  it('is given up when it takes too long', async () => {
    await expect(parse('a.txt', Buffer.from('a'), { timeoutMs: 1 })).rejects.toMatchObject({
      fault: 'too_slow',
    });
  });

  it('is given up when it takes too much memory', async () => {
    const page = Buffer.from('a b c\n\n'.repeat(4_000_000));
    const limited = { mostRssBytes: 128 * 2 ** 20 };
    await expect(parse('a.md', page, limited)).rejects.toMatchObject({ fault: 'too_complex' });
  });

  it('is abandoned when its caller leaves', async () => {
    const waiting = new AbortController();
    const never = async function* () {
      yield await Promise.resolve(Buffer.from('begun'));
      await new Promise(() => undefined);
    };
    const parser = new ChildProcessParser(AMPLE);
    const parsing = parser.parse(never(), { fileName: null, mediaType: null }, waiting.signal);
    waiting.abort(new Error('nobody waits'));
    await expect(parsing).rejects.toThrow('nobody waits');
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'is not at fault when its process is ended from outside: %s',
    async (signal) => {
      const ended = async function* () {
        yield await Promise.resolve(Buffer.from('begun'));
        const pid = await waitFor(() => readersOf(process.pid)[0], { description: 'the process that reads' });
        process.kill(pid, signal);
      };
      const parser = new ChildProcessParser(AMPLE);
      const parsing = parser.parse(
        ended(),
        { fileName: null, mediaType: null },
        new AbortController().signal,
      );
      await expect(parsing).rejects.toThrow(ReaderLostError);
    },
  );

  it('is not at fault when its bytes break off', async () => {
    const broken = async function* () {
      yield await Promise.resolve(Buffer.from('begun'));
      throw new Error('broke off');
    };
    const parser = new ChildProcessParser(AMPLE);
    const parsing = parser.parse(broken(), { fileName: null, mediaType: null }, new AbortController().signal);
    await expect(parsing).rejects.toThrow('broke off');
  });

  it.each(['at all', 'to their end'])(
    'is not at fault when its bytes do not come %s in time',
    async (what) => {
      const silent = async function* () {
        if (what === 'to their end') yield await Promise.resolve(Buffer.from('begun'));
        await new Promise(() => undefined);
      };
      const parser = new ChildProcessParser({ ...AMPLE, timeoutMs: 1 });
      const parsing = parser.parse(
        silent(),
        { fileName: null, mediaType: null },
        new AbortController().signal,
      );
      await expect(parsing).rejects.toThrow(BlobStoreUnavailableError);
    },
  );

  it('leaves no process behind when its reader stops early', async () => {
    const parser = new ChildProcessParser(AMPLE);
    const bytes = Buffer.from('a paragraph\n\n'.repeat(200_000));
    const hints = { fileName: 'a.txt', mediaType: null };
    const { blocks } = await parser.parse(inParts(bytes), hints, new AbortController().signal);
    const reading = blocks[Symbol.asyncIterator]();
    await reading.next();
    await reading.return?.();
    const left = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
    // Includes processes of earlier tests; a killed process stays listed for a moment.
    await waitFor(() => left() === 0, { description: 'the process to end' });
  });
});
