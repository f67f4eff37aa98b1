import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Chunk, ChunkLimits } from './chunk.js';
import { embeddedText } from './chunk.js';
import { Chunker } from './chunker.js';
import type { ParsedBlock } from './parsed-block.js';
import { rowText } from './row-text.js';

/** Counts one token per four characters of a word, rounded up: similar to a tokenizer, and easy to predict. */
const count = (text: string): number =>
  (text.match(/\S+/g) ?? []).reduce((sum, word) => sum + Math.ceil([...word].length / 4), 0);

function chunksOf(blocks: readonly ParsedBlock[], limits: ChunkLimits): readonly Chunk[] {
  const chunker = new Chunker(limits, count);
  return [...blocks.flatMap((block) => [...chunker.add(block)]), ...chunker.end()];
}

const heading = (level: number, text: string): ParsedBlock => ({ kind: 'heading', level, text });
const text = (words: string, page?: number): ParsedBlock => ({
  kind: 'text',
  text: words,
  ...(page !== undefined && { page }),
});
const SMALL = { tokens: 8, overlapTokens: 0 };

describe('chunks', () => {
  it.each<[string, readonly ParsedBlock[], readonly (readonly [string, string])[]]>([
    ['nothing of nothing', [], []],
    ['nothing of blanks', [text(' \n ')], []],
    ['short blocks together', [text('a b'), text('c d')], [['', 'a b\n\nc d']]],
    [
      'headings apart, with their path',
      [heading(1, 'One'), text('a'), heading(2, 'Deep'), text('b'), heading(1, 'Two'), text('c')],
      [
        ['One', 'a'],
        ['One > Deep', 'b'],
        ['Two', 'c'],
      ],
    ],
    [
      'headings that nothing stands under, as text',
      [heading(1, 'One'), heading(2, 'Empty'), heading(2, 'Full'), text('a'), heading(1, 'Last')],
      [
        ['One', 'Empty'],
        ['One > Full', 'a'],
        ['', 'Last'],
      ],
    ],
    [
      'rows that say their columns, and no empty cells',
      [
        {
          kind: 'row',
          cells: [
            ['Name', 'Ada'],
            ['Town', ''],
          ],
        },
        {
          kind: 'row',
          cells: [
            ['Name', 'Bob'],
            ['', 'x'],
          ],
        },
      ],
      [['', 'Name: Ada\nName: Bob; x']],
    ],
    [
      'a long paragraph at its sentences',
      [text('One two three four. Five six seven eight. Nine.')],
      [
        ['', 'One two three four.'],
        ['', 'Five six seven eight. Nine.'],
      ],
    ],
    [
      'a long word at its characters',
      [text('x'.repeat(40))],
      [
        ['', 'x'.repeat(32)],
        ['', 'x'.repeat(8)],
      ],
    ],
  ])('are %s', (_what, blocks, expected) => {
    const chunks = chunksOf(blocks, SMALL);
    expect(chunks.map((chunk) => [chunk.headings.join(' > '), chunk.text])).toEqual(expected);
  });

  it('begin with the end of the one before', () => {
    const chunks = chunksOf([text('One two. Three four. Five six. Seven eight. Nine ten.')], {
      tokens: 6,
      overlapTokens: 4,
    });
    expect(chunks.map(({ text: words }) => words)).toEqual([
      'One two. Three four.',
      'Three four. Five six.',
      'Five six. Seven eight.',
      'Seven eight. Nine ten.',
    ]);
    expect(chunks.map(({ repeatedChars }) => repeatedChars)).toEqual([0, 12, 10, 13]);
  });

  it('repeat no more than is allowed, although there is room', () => {
    const chunks = chunksOf([text('One two. Three four. Five six. Seven eight. Nine ten.')], {
      tokens: 12,
      overlapTokens: 4,
    });
    expect(chunks.map(({ text: words }) => words)).toEqual([
      'One two. Three four. Five six. Seven eight.',
      'Seven eight. Nine ten.',
    ]);
  });

  it('know the page on which they begin', () => {
    const chunks = chunksOf([text('a b c d e f', 3), text('g h i j', 4)], SMALL);
    expect(chunks.map(({ page }) => page)).toEqual([3, 4]);
  });

  it('are embedded with their headings', () => {
    expect(embeddedText({ headings: ['A', 'B'], text: 'c' })).toBe('A > B\n\nc');
    expect(embeddedText({ headings: [], text: 'c' })).toBe('c');
  });
});

it('the work for a row grows with its length alone', () => {
  const cells = Array.from({ length: 10_000 }, () => ['n', 'value'] as const);
  let looked = 0;
  const chunker = new Chunker({ tokens: 400, overlapTokens: 50 }, (counted) => {
    looked += counted.length;
    return Math.ceil(counted.length / 4);
  });
  const chunks = [...chunker.add({ kind: 'row', cells }), ...chunker.end()];
  expect(chunks.length).toBeGreaterThan(1);
  expect(looked).toBeLessThan(20 * rowText(cells).length);
});

describe('for any document', () => {
  const aWord = fc.string({
    unit: fc.constantFrom('a', 'é', '語', '😀', '.', '。', ' ', '\n'),
    maxLength: 60,
  });
  const aBlock: fc.Arbitrary<ParsedBlock> = fc.oneof(
    fc.record({ kind: fc.constant('heading' as const), level: fc.integer({ min: 1, max: 6 }), text: aWord }),
    fc.record({ kind: fc.constant('text' as const), text: aWord }),
    fc.record({
      kind: fc.constant('row' as const),
      cells: fc.array(fc.tuple(fc.constant(''), aWord), { maxLength: 3 }),
    }),
  );
  const limits = fc
    .record({ tokens: fc.integer({ min: 4, max: 40 }), overlapTokens: fc.integer({ min: 0, max: 19 }) })
    .map(({ tokens, overlapTokens }) => ({ tokens, overlapTokens: Math.min(overlapTokens, tokens >> 1) }));
  const document = fc.array(aBlock, { maxLength: 20 });
  const visible = (words: string): string => words.replace(/\s/g, '');

  it('no chunk is longer than allowed, empty, or out of order', () => {
    fc.assert(
      fc.property(document, limits, (blocks, allowed) => {
        const chunks = chunksOf(blocks, allowed);
        expect(chunks.map(({ ordinal }) => ordinal)).toEqual(chunks.map((_chunk, index) => index));
        for (const chunk of chunks) {
          expect(chunk.tokens).toBe(count(chunk.text));
          expect(chunk.tokens).toBeLessThanOrEqual(allowed.tokens);
          expect(chunk.text.trim()).toBe(chunk.text);
          expect(chunk.text.length).toBeGreaterThan(chunk.repeatedChars);
        }
      }),
    );
  });

  it('the parts without overlap are the whole text, in order', () => {
    const withoutHeadings = document.map((blocks) => blocks.filter(({ kind }) => kind !== 'heading'));
    fc.assert(
      fc.property(withoutHeadings, limits, (blocks, allowed) => {
        const given = blocks.map((block) => {
          if (block.kind !== 'row') return block.text;
          return block.cells
            .map(([, value]) => value)
            .filter((value) => value.trim() !== '')
            .join(';');
        });
        const kept = chunksOf(blocks, allowed).map((chunk) => chunk.text.slice(chunk.repeatedChars));
        expect(visible(kept.join(''))).toBe(visible(given.join('')));
      }),
    );
  });

  it('every heading is found, in a path or in a text', () => {
    fc.assert(
      fc.property(document, limits, (blocks, allowed) => {
        const chunks = chunksOf(blocks, allowed);
        const found = visible(chunks.map((chunk) => [...chunk.headings, chunk.text].join('')).join(''));
        for (const block of blocks)
          if (block.kind === 'heading') expect(found).toContain(visible(block.text).slice(0, 4));
      }),
    );
  });

  it('the overlap is the end of the chunk before, under the same headings', () => {
    fc.assert(
      fc.property(document, limits, (blocks, allowed) => {
        const chunks = chunksOf(blocks, allowed);
        for (const [index, chunk] of chunks.entries()) {
          if (chunk.repeatedChars === 0) continue;
          const before = chunks[index - 1];
          expect(count(chunk.text.slice(0, chunk.repeatedChars))).toBeLessThanOrEqual(allowed.overlapTokens);
          expect(before?.headings).toEqual(chunk.headings);
          expect(
            visible(before?.text ?? '').endsWith(visible(chunk.text.slice(0, chunk.repeatedChars))),
          ).toBe(true);
        }
      }),
    );
  });
});
