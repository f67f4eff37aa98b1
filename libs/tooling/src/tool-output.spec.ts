import { describe, expect, it } from '@jest/globals';
import { MAX_FILE_BYTES } from './file-sandbox.js';
import { describeOutputs, toOpenedDelivery, type ToolOutput } from './tool-output.js';

const MANY = 65_536;
const describeOne = (output: ToolOutput) => describeOutputs([output], MANY);
const file = (content: object) => ({ kind: 'file', file: content });
const blob = (overrides: Partial<Extract<ToolOutput, { type: 'blob' }>>): ToolOutput => ({
  type: 'blob',
  base64: 'aGVsbG8=',
  mimeType: 'text/plain',
  filename: 'hello.txt',
  ...overrides,
});
const base64Of = (bytes: number): string => Buffer.alloc(bytes).toString('base64');

const IMAGE_TEXT = 'image generated and sent to user. Tell user to review it now.';
const URL = 'https://example.com/a.png';

describe('describeOutputs', () => {
  it.each<[ToolOutput['type'], ToolOutput, string]>([
    ['text', { type: 'text', text: ' as it is\n' }, ' as it is\n'],
    ['json', { type: 'json', json: { 名: [1, null] } }, 'tool response: {"名":[1,null]}.'],
    ['link', { type: 'link', url: URL }, `result link: ${URL}. please tell user to check it.`],
    ['image', { type: 'image', source: URL }, IMAGE_TEXT],
    ['image_link', { type: 'image_link', url: URL }, IMAGE_TEXT],
    ['blob', blob({}), 'Generated file ... '],
    ['file', { type: 'file', path: '/files/a.pdf', mimeType: 'application/pdf' }, 'Generated file ... '],
  ])('says to the model what came of %s (3.D-11)', (_type, output, text) => {
    expect(describeOne(output).text).toBe(text);
  });

  it('joins the texts without anything between them (3.D-11)', () => {
    const outputs: ToolOutput[] = [{ type: 'text', text: 'a' }, blob({}), { type: 'text', text: 'b' }];
    expect(describeOutputs(outputs, MANY).text).toBe('aGenerated file ... b');
  });

  it.each<[string, ToolOutput, object]>([
    ['a link', { type: 'link', url: URL }, { type: 'link', url: URL }],
    ['an image', { type: 'image', source: URL }, { type: 'image', source: URL }],
    ['an image link', { type: 'image_link', url: URL }, { type: 'image_link', url: URL }],
    [
      'a blob',
      blob({}),
      { type: 'blob', mime_type: 'text/plain', filename: 'hello.txt', size: 5, base64: 'aGVsbG8=' },
    ],
  ])('hands %s on to the user unchanged (S0-42, S1-75)', (_name, output, content) => {
    expect(describeOne(output).deliveries).toEqual([file(content)]);
  });

  it.each<ToolOutput>([
    { type: 'text', text: 'a' },
    { type: 'json', json: 1 },
  ])('hands nothing on to the user of $type', (output) => expect(describeOne(output).deliveries).toEqual([]));

  it('opens an image under /files as a PNG, beside the image itself (S0-42, 3.D-12)', () => {
    expect(describeOne({ type: 'image', source: '/files/sub/a.png' }).deliveries).toEqual([
      {
        kind: 'open',
        file: {
          path: '/files/sub/a.png',
          mimeType: 'image/png',
          failureText: 'Failed to process generated image file.',
        },
      },
      file({ type: 'image', source: '/files/sub/a.png' }),
    ]);
  });

  it.each(['/files/../etc/passwd', '/etc/passwd', '/filesx/a.png', 'a.png', 'file:///files/a.png', ''])(
    'does not open the image %j, and does not repeat the path (S0-39, S0-40)',
    (source) => {
      const deliveries = [{ kind: 'text', text: 'Failed to process generated image file.' }];
      expect(describeOne({ type: 'image', source }).deliveries).toEqual(deliveries);
    },
  );

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a/b',
    '//example.com',
    'https://',
    ' ',
    'https://a\0b',
    'x'.repeat(9_000),
  ])('keeps the address %j from model and user', (url) => {
    const left = { text: expect.stringContaining('not an http or https address') as unknown, deliveries: [] };
    expect(describeOne({ type: 'link', url })).toEqual(left);
    expect(describeOne({ type: 'image_link', url })).toEqual(left);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['a\u202Etxt.exe', 'atxt.exe'],
    ['a\r\nb', 'ab'],
    ['..', 'file'],
    ['', 'file'],
    ['n'.repeat(300), 'n'.repeat(255)],
  ])('names the blob %j just %j', (filename, expected) => {
    expect(describeOne(blob({ filename })).deliveries).toMatchObject([{ file: { filename: expected } }]);
  });

  it.each([
    ['IMAGE/PNG', 'image/png'],
    ['text/html\r\nx: y', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('takes the type %j for %s', (mimeType, expected) => {
    expect(describeOne(blob({ mimeType })).deliveries).toMatchObject([{ file: { mime_type: expected } }]);
  });

  it('accepts a blob of exactly 5 242 880 bytes and refuses one byte more (S0-41, S1-74)', () => {
    const [whole] = describeOne(blob({ base64: base64Of(MAX_FILE_BYTES) })).deliveries;
    expect(whole).toMatchObject({ kind: 'file', file: { size: 5_242_880 } });
    const deliveries = [{ kind: 'text', text: 'Failed to process generated file.' }];
    expect(describeOne(blob({ base64: base64Of(MAX_FILE_BYTES + 1) })).deliveries).toEqual(deliveries);
  });

  it.each(['no base64!', 'aGVsbG8', 'aGV=bG8=', '===='])('refuses the blob %j', (base64) => {
    expect(describeOne(blob({ base64 })).deliveries).toMatchObject([{ kind: 'text' }]);
  });

  it('cuts what is too long, and makes it storable', () => {
    const { text } = describeOutputs([{ type: 'text', text: '\0' + 'x'.repeat(1_000_000) }, blob({})], 2_000);
    expect(text).toMatch(/^x+\n\[the rest was cut off\]$/);
    expect(text).toHaveLength(2_000);
  });

  it('counts no more than 32 outputs', () => {
    expect(
      describeOutputs(
        Array.from({ length: 1_000 }, () => blob({})),
        MANY,
      ).deliveries,
    ).toHaveLength(32);
  });
});

describe('toOpenedDelivery', () => {
  const toOpen = {
    path: '/files/sub/a.png',
    mimeType: 'image/png',
    failureText: 'Failed to process generated image file.',
  };

  it('makes a blob of what was read (3.D-12)', () => {
    const content = { type: 'blob', mime_type: 'image/png', filename: 'a.png', size: 5, base64: 'aGVsbG8=' };
    expect(toOpenedDelivery(toOpen, { kind: 'read', base64: 'aGVsbG8=' })).toEqual(file(content));
  });

  it('passes over a missing file in silence (3.D-13)', () => {
    expect(toOpenedDelivery(toOpen, { kind: 'missing' })).toBeNull();
  });

  it('reports a refused file without path or reason (3.D-12)', () => {
    const text = { kind: 'text', text: 'Failed to process generated image file.' };
    expect(toOpenedDelivery(toOpen, { kind: 'refused' })).toEqual(text);
  });
});
