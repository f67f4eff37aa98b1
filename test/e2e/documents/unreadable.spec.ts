import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPdf } from '../../support/builders/pdf.js';
import { aDocx, aParagraph, aZip } from '../../support/builders/zip.js';
import { waitFor } from '../../support/services/wait-for.js';
import { DocumentService, type Giver } from './document-service.js';

const MB = 2 ** 20;
const LONGEST = 50 * MB;
const MEMORY_MB = 512;

let service: DocumentService;
let giver: Giver;
let unaffected: Giver;
beforeAll(async () => {
  service = await DocumentService.open('postgres', {
    DOCUMENT_MAX_BYTES: String(LONGEST),
    PARSE_MEMORY_MB: String(MEMORY_MB),
    INGEST_CONCURRENCY: '3',
  });
  await service.startWorker();
  giver = await service.addGiver('giver');
  unaffected = await service.addGiver('unaffected');
});
afterAll(() => service.close());

/** A PDF with this text and about as many bytes as are allowed. */
function aLongPdf(bytes: number): Buffer {
  const pages = ['Parcels go out at noon.', 'Vans are washed on Fridays.'];
  const short = aPdf(pages, { padBytes: bytes / 2 });
  return aPdf(pages, { padBytes: bytes / 2 + bytes - short.length });
}

/** A document of 600 MB that is compressed to a thousandth. */
const bomb = (more: { claimedSize?: number } = {}): Buffer =>
  aZip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': Buffer.alloc(600 * MB) }, more);

/**
 * Makes the bytes, which blocks the process for seconds, then lets the HTTP client notice which idle connections the service
 * has closed, as a request on one of them would fail.
 */
async function made(make: () => Buffer): Promise<Buffer> {
  const bytes = make();
  await setImmediate();
  await setImmediate();
  return bytes;
}

const EXE = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(500, 7)]);

describe('a document that cannot be read', () => {
  it.each<[string, string, () => Buffer, string, RegExp]>([
    ['is empty', 'empty.pdf', () => Buffer.alloc(0), 'DOCUMENT_EMPTY', /empty/],
    ['is a program', 'invoice.pdf', () => EXE, 'DOCUMENT_TYPE_UNSUPPORTED', /does not match its name/],
    [
      'wants a password',
      'secret.pdf',
      () => aPdf(['secret'], { encrypt: true }),
      'DOCUMENT_ENCRYPTED',
      /password/,
    ],
    ['is a ZIP bomb', 'bomb.docx', () => bomb(), 'DOCUMENT_TOO_COMPLEX', /memory/],
    [
      'is a ZIP bomb that says it is small',
      'small.docx',
      () => bomb({ claimedSize: 1_000 }),
      'DOCUMENT_(TOO_COMPLEX|DAMAGED)',
      /memory|damaged/,
    ],
    ['is cut off', 'half.docx', () => aDocx(aParagraph('a')).subarray(0, 180), 'DOCUMENT_DAMAGED', /damaged/],
    ['has no text', 'scan.pdf', () => aPdf(['']), 'DOCUMENT_WITHOUT_TEXT', /Run OCR/],
  ])(
    'since it %s says why, harms no other, and leaves nothing when it is deleted',
    async (_why, name, make, code, words) => {
      const bytes = await made(make);
      const others = await Promise.all(
        [1, 2].map((n) => service.giveText(unaffected, `About ${name} ${n}.`)),
      );
      const { status, body } = await service.give(giver, name, bytes);
      expect(status).toBe(201);
      others.push(await service.giveText(unaffected, `After ${name}.`));
      const { state, error_code, error_text, live_generation } = await service.ended(giver, body.id);
      expect({ state, live_generation }).toEqual({ state: 'failed', live_generation: null });
      expect(error_code).toMatch(new RegExp(`^${code}$`));
      expect(error_text).toMatch(words);
      for (const id of others) expect(await service.ended(unaffected, id)).toMatchObject({ state: 'ready' });
      expect(await service.leftBehind(giver)).toMatchObject({ document: 1, chunk: 0, embedding: 0 });
      expect(await service.remove(giver, body.id)).toBe(204);
      await service.expectNothingLeft(giver);
    },
  );

  it('since it has too many bytes is refused at the door, and leaves nothing', async () => {
    const { status, body } = await service.give(giver, 'long.pdf', Buffer.alloc(LONGEST + 1, 32));
    expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(body.detail).toContain(String(LONGEST));
    await service.expectNothingLeft(giver);
  });
});

it('a PDF of 50 MB is taken in, within the memory that reading may take', async () => {
  const bytes = await made(() => aLongPdf(LONGEST));
  expect(bytes).toHaveLength(LONGEST);
  const other = await service.giveText(unaffected, 'Beside a long one.');
  const { status, body } = await service.give(giver, 'long.pdf', bytes);
  expect(status).toBe(201);
  expect(await service.ended(giver, body.id, 90_000)).toMatchObject({ state: 'ready', error_text: null });
  expect(await service.ended(unaffected, other)).toMatchObject({ state: 'ready' });
  expect(await service.leftBehind(giver)).toMatchObject({ document: 1, chunk: 1, embedding: 1, files: 1 });
  await waitFor(async () => (await service.leftBehind(giver))['readers'] === 0, {
    description: 'the process that read it to end',
  });
  expect(await service.remove(giver, body.id)).toBe(204);
  await service.expectNothingLeft(giver);
});
