import { describe, expect, it } from '@jest/globals';
import type { DocumentHints, ParsedBlock } from '#libs/knowledge';
import { aPdf } from '../../../../test/support/builders/pdf.js';
import { aDocx, aParagraph, aZip } from '../../../../test/support/builders/zip.js';
import { sniffKind } from '../sniff-kind.js';
import { parseDocument } from './parse-document.js';

const named = (fileName: string): DocumentHints => ({ fileName, mediaType: null });

async function blocksOf(bytes: Buffer, hints: DocumentHints, mostChars = 100_000): Promise<ParsedBlock[]> {
  const blocks: ParsedBlock[] = [];
  await parseDocument(sniffKind(bytes, hints), { bytes, charset: null }, mostChars, (block) => {
    blocks.push(block);
    return Promise.resolve();
  });
  return blocks;
}

const heading = (level: number, text: string): ParsedBlock => ({ kind: 'heading', level, text });
const text = (words: string): ParsedBlock => ({ kind: 'text', text: words });
const row = (...cells: [string, string][]): ParsedBlock => ({ kind: 'row', cells });

describe('the blocks of', () => {
  it.each<[string, string, string, readonly ParsedBlock[]]>([
    ['a text', 'a.txt', 'One\r\ntwo\r\n\r\nThree\n', [text('One\ntwo'), text('Three\n')]],
    [
      'Markdown',
      'a.md',
      '+++\ntitle = 1\n+++\n# One *two*\n\nSee [this](http://x) and `code`.\n\n- a\n- b\n  - c\n\n> ## Quoted\n\n<b>no</b>\n\n<!-- never -->\n\n```js\nlet a;\n```\n',
      [
        heading(1, 'One two'),
        text('See this and code.'),
        text('- a'),
        text('- b\n  - c'),
        heading(2, 'Quoted'),
        text('no'),
        text('let a;'),
      ],
    ],
    [
      'a table of Markdown',
      'a.md',
      '| Name | Town |\n|---|---|\n| Ada | **London** |\n',
      [row(['Name', 'Ada'], ['Town', 'London'])],
    ],
    [
      'a page',
      'a.html',
      '<head><title>no</title></head><nav>no</nav><h1>One</h1><p>a <b>b</b>\n c<br>d</p><script>no()</script><pre>x\n  y</pre>',
      [heading(1, 'One'), text('a b c\nd'), text('x\n  y')],
    ],
    [
      'a table of a page',
      'a.html',
      '<table><tr><th>Name<th>Town</tr><tr><td><p>Ada</p></td><td>Lon&shy;don &amp; more</td></tr></table>',
      [row(['Name', 'Ada'], ['Town', 'Lon\u00addon & more'])],
    ],
    [
      'a table',
      'a.csv',
      '\ufeffName;Town\nAda;"Lon;don"\nBob\n',
      [row(['Name', 'Ada'], ['Town', 'Lon;don']), row(['Name', 'Bob'])],
    ],
    ['a table without rows', 'a.csv', 'Name,Town\n', [text('Name\nTown')]],
  ])('%s', async (_what, name, given, expected) => {
    expect(await blocksOf(Buffer.from(given), named(name))).toEqual(expected);
  });

  it('a PDF, page by page', async () => {
    const blocks = await blocksOf(aPdf(['First page', '', 'Third page']), named('a.pdf'));
    expect(blocks).toEqual([
      { ...text('First page'), page: 1 },
      { ...text('Third page'), page: 3 },
    ]);
  });

  it('a Word document', async () => {
    const cell = (words: string) => `<w:tc>${aParagraph(words)}</w:tc>`;
    const body = [
      aParagraph('Guide', 'Title'),
      aParagraph('One', 'Heading2'),
      aParagraph('a &amp; b'),
      `<w:tbl><w:tr>${cell('Name')}${cell('Town')}</w:tr><w:tr>${cell('Ada')}${cell('London')}</w:tr></w:tbl>`,
    ].join('');
    expect(await blocksOf(aDocx(body), named('a.docx'))).toEqual([
      heading(1, 'Guide'),
      heading(2, 'One'),
      text('a & b'),
      row(['', 'Name'], ['', 'Town']),
      row(['Name', 'Ada'], ['Town', 'London']),
    ]);
  });

  it('a long text are cut at blanks, and none is lost', async () => {
    const long = `${'word '.repeat(5_000)}${'x'.repeat(20_001)}`;
    const blocks = await blocksOf(Buffer.from(long), named('a.txt'));
    const texts = blocks.map((block) => (block.kind === 'row' ? '' : block.text));
    expect(Math.max(...texts.map((part) => part.length))).toBeLessThanOrEqual(4_000);
    expect(texts.join('')).toBe(long);
  });
});

describe('an unreadable file gives the reason:', () => {
  const ole = (more: string): Buffer =>
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.from(more, 'utf16le'),
    ]);

  it.each<[string, string, Buffer, string]>([
    ['empty', 'a.md', Buffer.alloc(0), 'empty'],
    ['blank', 'a.md', Buffer.from(' \n\n '), 'no_text'],
    ['a picture', 'a.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]), 'unsupported_type'],
    ['a picture that is called a text', 'a.txt', Buffer.from([0x89, 0, 0x4e, 0x47]), 'unsupported_type'],
    ['an archive', 'a.zip', aZip({ 'a.txt': 'a' }), 'unsupported_type'],
    ['an archive that is called a document', 'a.docx', aZip({ 'a.txt': 'a' }), 'unsupported_type'],
    ['a text that is called a PDF', 'a.pdf', Buffer.from('hello'), 'wrong_type'],
    ['an old Word file', 'a.doc', ole('WordDocument'), 'unsupported_type'],
    ['an encrypted Word file', 'a.docx', ole('EncryptedPackage'), 'encrypted'],
    ['an encrypted PDF', 'a.pdf', aPdf(['secret'], { encrypt: true }), 'encrypted'],
    ['half a PDF', 'a.pdf', Buffer.from('%PDF-1.4\n1 0 obj\n<<'), 'damaged'],
    ['a PDF without text', 'a.pdf', aPdf(['']), 'no_text'],
    ['half a Word document', 'a.docx', aDocx(aParagraph('a')).subarray(0, 180), 'damaged'],
    ['bytes of no text', 'a.txt', Buffer.from([0xff, 0x81, 0x8d, 0x01, 0xc3, 0x02, 0xf9]), 'encoding'],
    ['RTF', 'a.rtf', Buffer.from('{\\rtf1 a}'), 'unsupported_type'],
    ['a table that is none', 'a.csv', Buffer.from(`a,b\n"${'x'.repeat(1_100_000)}`), 'damaged'],
  ])('%s (%s)', async (_what, name, bytes, fault) => {
    const parsed = async () => blocksOf(bytes, named(name));
    await expect(parsed()).rejects.toMatchObject({ fault });
  });

  it.each([
    ['a.html', Buffer.from('<div>'.repeat(1_000_000))],
    ['a.docx', aDocx('<w:sdt>'.repeat(10_000))],
    ['a.docx', aZip({ 'word/document.xml': Buffer.alloc(257 * 2 ** 20) })],
    ['a.docx', aZip({ 'word/document.xml': Buffer.alloc(4 * 2 ** 20, 'a') }, { claimedSize: 2 ** 32 - 2 })],
    ['a.md', Buffer.from('>'.repeat(100_000))],
  ])('too complex: %s', async (name, bytes) => {
    await expect(blocksOf(bytes, named(name))).rejects.toMatchObject({ fault: 'too_complex' });
  });

  it('too long', async () => {
    await expect(blocksOf(Buffer.from('12345 7890'), named('a.txt'), 9)).rejects.toMatchObject({
      fault: 'too_long',
    });
  });
});

it.each<[DocumentHints, string, string]>([
  [{ fileName: null, mediaType: null }, 'plain', 'text'],
  [{ fileName: null, mediaType: null }, ' <!DOCTYPE html><p>', 'html'],
  [{ fileName: null, mediaType: 'text/markdown; charset=utf-8' }, '# a', 'markdown'],
  [{ fileName: 'A.MD', mediaType: 'text/plain' }, '# a', 'markdown'],
  [{ fileName: 'a.unknown', mediaType: 'text/csv' }, 'a,b', 'csv'],
  [{ fileName: 'a.txt', mediaType: 'application/pdf' }, '%PDF-1.4', 'pdf'],
])('%j with %j is %s', (hints, bytes, kind) => {
  expect(sniffKind(Buffer.from(bytes), hints)).toBe(kind);
});
