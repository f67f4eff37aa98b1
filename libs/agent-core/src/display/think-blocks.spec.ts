import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { STRIP_START, stripEnd, stripNext } from './strip-stream.js';
import { stripThinkBlocks, toThoughtBlock, fallbackThought } from './think-blocks.js';

/** The rule of 3.C-7 as written: three replacements in sequence. */
function stripByRule(text: string): string {
  const visible = text
    .replace(/<think>[^]*?<\/think>/gi, '')
    .replace(/<think>[^]*/i, '')
    .replace(/<\/think>/gi, '');
  return visible.trim() === '' ? '' : visible;
}

function stripInPieces(pieces: readonly string[]): string[] {
  let state = STRIP_START;
  const visible = pieces.map((piece) => {
    const stripped = stripNext(state, piece);
    state = stripped.state;
    return stripped.visible;
  });
  return [...visible, stripEnd(state)];
}

const cutIn = (text: string, cuts: readonly number[]): string[] => {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((place, index) => text.slice(places[index], place));
};

/** Texts in which tags, halves of tags and tags within tags are common. */
const fragment = fc.constantFrom(
  ...['<think>', '</think>', '<THINK>', '</Think>', '<', '/', '>', '<th', 'ink>', '</th', '<think', 'think>'],
  ...['a', 'b', ' ', '\n', '\u212A', 'ı', '🍎', '<thin\u212A>', ''],
);
const tagged = fc.array(fragment, { maxLength: 30 }).map((fragments) => fragments.join(''));
const anyText = fc.oneof({ weight: 4, arbitrary: tagged }, fc.string({ unit: 'binary' }));
const anyCuts = fc.array(fc.nat(), { maxLength: 12 });

describe('stripThinkBlocks', () => {
  it.each([
    ['no block', 'hello', 'hello'],
    ['one block', '<think>a</think>b', 'b'],
    ['a block in the middle', 'a<think>b</think>c', 'ac'],
    ['two blocks', '<think>a</think>b<think>c</think>d', 'bd'],
    ['a block over lines', 'a\n<think>\nb\n</think>\nc', 'a\n\nc'],
    ['another case', '<THINK>a</Think>b', 'b'],
    ['nested blocks', '<think>a<think>b</think>c</think>d', 'cd'],
    ['a block that is not closed', 'a<think>b', 'a'],
    ['a block that is not closed after one that is', '<think>a</think>b<think>c', 'b'],
    ['a closing tag alone', 'a</think>b', 'ab'],
    ['nothing but a block', '<think>a</think>', ''],
    ['white space besides', ' \n<think>a</think>\t', ''],
    ['white space around text, which stays', ' <think>a</think> b \n', '  b \n'],
    ['an empty text', '', ''],
    ['half a tag', 'a <thin b', 'a <thin b'],
    ['half a tag at the end', 'a <thin', 'a <thin'],
    ['a tag with attributes, which is none', '<think x>a</think>', '<think x>a'],
    ['a tag that a block was hiding', '<th<think>a</think>ink>b</think>c', ''],
    ['a closing tag that a block was hiding', 'a</th<think>b</think>ink>c', 'ac'],
  ])('%s (S0-25, S1-65, 3.C-7)', (_name, text, visible) => expect(stripThinkBlocks(text)).toBe(visible));

  it('does what the rule says, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(stripThinkBlocks(text)).toBe(stripByRule(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('takes time in proportion to the text, however hostile', () => {
    const size = 400_000;
    expect(stripThinkBlocks('<think>'.repeat(size))).toBe('');
    expect(stripThinkBlocks('</think>'.repeat(size) + 'a')).toBe('a');
    expect(stripThinkBlocks(`${' '.repeat(size)}a`)).toHaveLength(size + 1);
    expect(stripInPieces(Array.from({ length: size }, () => ' ')).join('')).toBe('');
  });
});

describe('stripNext', () => {
  it('shows the same for any split of a text (S0-25, S1-65)', () => {
    fc.assert(
      fc.property(anyText, anyCuts, (text, cuts) => {
        expect(stripInPieces(cutIn(text, cuts)).join('')).toBe(stripByRule(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('never revokes what it has shown: every piece adds to the end (S0-25)', () => {
    fc.assert(
      fc.property(anyText, anyCuts, (text, cuts) => {
        const shown = stripInPieces(cutIn(text, cuts)).slice(0, -1).join('');
        expect(stripByRule(text).startsWith(shown)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('leaks nothing hidden and loses nothing visible, one character at a time (S0-25, S0-27)', () => {
    const words = (letter: string) =>
      fc.array(fc.constantFrom(letter, ' ', '\n', '<', '>', '/', '<th', 'ink>'), { maxLength: 6 });
    const part = fc.oneof(
      words('v').map((visible) => ({ hidden: '', visible: visible.join('') })),
      words('S').map((hidden) => ({ hidden: hidden.join(''), visible: '' })),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.map((p) => (p.visible === '' ? `<think>${p.hidden}</think>` : p.visible)).join('');
        const shown = stripInPieces([...text]).join('');
        expect(shown).not.toContain('S');
        const isPlain = !/think>/i.test(parts.map((p) => p.visible).join(''));
        if (isPlain)
          expect(shown.trim()).toBe(
            parts
              .map((p) => p.visible)
              .join('')
              .trim(),
          );
      }),
      { numRuns: 3_000 },
    );
  });

  it('holds back no more than what may become a tag', () => {
    expect(stripInPieces(['a', 'b<', 'c', 'd<thin', 'e</think'])).toEqual([
      'a',
      'b',
      '<c',
      'd',
      '<thine',
      '</think',
    ]);
  });

  it('keeps nothing of what is hidden (S0-25)', () => {
    const { state } = stripNext(STRIP_START, `a<think>${'secret '.repeat(100)}`);
    expect(JSON.stringify(state)).not.toContain('secret');
  });
});

describe('toThoughtBlock', () => {
  it.each([
    ['wraps a text', 'I will search.', '<think>\nI will search.\n</think>'],
    ['trims it', ' \nI will search.\n', '<think>\nI will search.\n</think>'],
    ['keeps a block', '<think>a</think>', '<think>a</think>'],
    ['keeps a block with space around it', ' <think>a</think>\n', '<think>a</think>'],
    ['wraps a text that ends otherwise', '<think>a</think> b', '<think>\n<think>a</think> b\n</think>'],
    ['wraps a text with another case', '<THINK>a</THINK>', '<think>\n<THINK>a</THINK>\n</think>'],
    ['drops 意図：', '意図：探す', '<think>\n探す\n</think>'],
    ['drops 意図:', '意図: 探す', '<think>\n探す\n</think>'],
    ['drops Intent:', 'Intent: a', '<think>\na\n</think>'],
    ['drops intent:', 'intent:a', '<think>\na\n</think>'],
    ['drops Thinking:', 'Thinking: a', '<think>\na\n</think>'],
    ['drops thinking:', ' thinking: a', '<think>\na\n</think>'],
    ['drops one label only', 'Intent: Thinking: a', '<think>\nThinking: a\n</think>'],
    ['keeps a label in another case', 'INTENT: a', '<think>\nINTENT: a\n</think>'],
    ['keeps a label in the middle', 'My Intent: a', '<think>\nMy Intent: a\n</think>'],
    ['keeps a block behind a label', 'Intent: <think>a</think>', '<think>a</think>'],
    [
      'has a sentence for an empty text',
      '',
      '<think>\nFirst, I will check the information I need.\n</think>',
    ],
    [
      'has a sentence for a label alone',
      'Intent: ',
      '<think>\nFirst, I will check the information I need.\n</think>',
    ],
  ])('%s (S0-24, 3.C-8)', (_name, text, block) => expect(toThoughtBlock(text)).toBe(block));
});

describe('fallbackThought', () => {
  it.each([
    ['no tool', [], 'First, I will check the information I need.'],
    ['one tool', ['search'], 'First, I will check the information I need with the tool search.'],
    [
      'one tool twice',
      ['search', 'search'],
      'First, I will check the information I need with the tool search.',
    ],
    ['two tools', ['b', 'a'], 'To get the information I need, I will check with these tools in turn: b, a'],
    [
      'three tools',
      ['a', 'b', 'a', 'c'],
      'To get the information I need, I will check with these tools in turn: a, b, c',
    ],
    [
      'four tools',
      ['a', 'b', 'c', 'd'],
      'To get the information I need, I will check with these tools in turn: a, b, c...',
    ],
    [
      'a name that would end the block',
      ['</think>'],
      'First, I will check the information I need with the tool think.',
    ],
    ['a name of nothing', ['', '！'], 'First, I will check the information I need.'],
  ])('names %s in one sentence in a think block (S1-66, 3.C-9)', (_name, toolNames, sentence) => {
    expect(fallbackThought(toolNames)).toBe(`<think>\n${sentence}\n</think>`);
  });

  it('stays one short sentence for any tool name', () => {
    const hostile = Array.from({ length: 50 }, (_, index) => `${index}${'x'.repeat(10_000)}`);
    expect(fallbackThought(hostile).length).toBeLessThan(300);
  });
});
