import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildSystemInstruction } from './build-system-instruction.js';
import { DEFAULT_POLICIES, POLICY_BLOCKS, POLICY_TAGS } from './default-policies.js';

const TAGS = ['persistence', 'context_gathering', 'uncertainty_and_ambiguity', 'tool_preamble'];

const build = (promptPolicyOverrides?: string, instruction = 'Take orders.'): string =>
  buildSystemInstruction({ instruction, promptPolicyOverrides });

const inTag = (tag: string, text: string): string => `<${tag}>\n${text}\n</${tag}>`;

/** The default instruction of the test with some blocks replaced. */
function expected(replaced: Readonly<Record<string, string>> = {}, extra?: string): string {
  const blocks = POLICY_BLOCKS.map(
    (block) => replaced[block] ?? inTag(POLICY_TAGS[block], DEFAULT_POLICIES[block]),
  );
  return ['Take orders.', ...blocks, ...(extra === undefined ? [] : [extra])].join('\n\n');
}

describe('buildSystemInstruction', () => {
  it('joins instruction, persistence, context gathering, uncertainty and tool preamble in this order (S0-17)', () => {
    const text = build();
    const positions = ['Take orders.', ...TAGS.map((tag) => `<${tag}>`)].map((part) => text.indexOf(part));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(positions[0]).toBe(0);
    expect(positions).not.toContain(-1);
  });

  it('separates the parts by one blank line and puts each policy in its tag (S0-17)', () => {
    expect(build()).toBe(expected());
    expect(Object.values(POLICY_TAGS)).toEqual(TAGS);
  });

  it.each([undefined, '', '   ', '\n\t', '{}', ' { } '])(
    'adds the four default blocks when the overrides are %j (S0-18, S1-60)',
    (overrides) => expect(build(overrides)).toBe(expected()),
  );

  it.each(['', '  \n '])('says a default sentence for the instruction %j', (instruction) => {
    expect(build('', instruction).startsWith('You are a helpful GPT-5 agent.\n\n<persistence>')).toBe(true);
  });

  it('trims the instruction', () => {
    expect(build('', '  Take orders.\n')).toBe(expected());
  });

  it.each([
    ['a sentence', 'Answer in French.', 'Answer in French.'],
    ['a sentence with space around it', '  Answer in French.\n', 'Answer in French.'],
    ['an array', '["a"]', '["a"]'],
    ['a JSON string', '"be brief"', '"be brief"'],
    ['a number', '123', '123'],
    ['null', 'null', 'null'],
    ['true', 'true', 'true'],
    [
      'an object with something after it',
      '{"persistence_policy": "x"} and so on',
      '{"persistence_policy": "x"} and so on',
    ],
    ['broken JSON', '{"persistence_policy": ', '{"persistence_policy":'],
  ])('adds %s at the end as extra policy, without a tag (S0-19, S1-61)', (_name, overrides, extra) => {
    expect(build(overrides)).toBe(expected({}, extra));
  });

  it.each(POLICY_BLOCKS.map((block) => [block, POLICY_TAGS[block]] as const))(
    'replaces %s where it stands and wraps it in <%s> (S0-20, S0-22, S1-62)',
    (block, tag) =>
      expect(build(JSON.stringify({ [block]: ' ours ' }))).toBe(expected({ [block]: inTag(tag, 'ours') })),
  );

  it('puts extra_policy last and in no tag, wherever it stands in the object (S0-20, S0-22)', () => {
    const overrides = '{"extra_policy": " be brief ", "tool_preamble_policy": "ours"}';
    expect(build(overrides)).toBe(
      expected({ tool_preamble_policy: inTag('tool_preamble', 'ours') }, 'be brief'),
    );
  });

  it.each([
    ['keeps a text in exactly its tag', '<persistence>ours</persistence>', '<persistence>ours</persistence>'],
    ['keeps it after trimming', ' <persistence>ours</persistence>\n', '<persistence>ours</persistence>'],
    [
      'wraps a text with the opening tag only',
      '<persistence>ours',
      inTag('persistence', '<persistence>ours'),
    ],
    [
      'wraps a text with the closing tag only',
      'ours</persistence>',
      inTag('persistence', 'ours</persistence>'),
    ],
    [
      'wraps another case',
      '<Persistence>ours</Persistence>',
      inTag('persistence', '<Persistence>ours</Persistence>'),
    ],
    [
      'wraps another tag',
      '<tool_preamble>a</tool_preamble>',
      inTag('persistence', '<tool_preamble>a</tool_preamble>'),
    ],
  ])('%s (S0-22)', (_name, given, block) => {
    expect(build(JSON.stringify({ persistence_policy: given }))).toBe(
      expected({ persistence_policy: block }),
    );
  });

  it('knows the tag of the uncertainty policy by its long name (S0-22)', () => {
    const given = '<uncertainty>ours</uncertainty>';
    const block = inTag('uncertainty_and_ambiguity', given);
    expect(build(JSON.stringify({ uncertainty_policy: given }))).toBe(
      expected({ uncertainty_policy: block }),
    );
  });

  it.each([null, '', '  \n'])('leaves the default where a policy is %j', (given) => {
    expect(build(JSON.stringify({ persistence_policy: given, extra_policy: given }))).toBe(expected());
  });

  it.each([
    [5, '5'],
    [false, 'false'],
    [['- a'], '["- a"]'],
    [{ a: 1 }, '{"a":1}'],
  ])('takes the policy %j as the text %j', (given, text) => {
    const block = inTag('persistence', text);
    expect(build(JSON.stringify({ persistence_policy: given }))).toBe(
      expected({ persistence_policy: block }),
    );
  });

  it.each([
    '{"unknown": "x"}',
    '{"context": "x", "Persistence_Policy": "y"}',
    '{"__proto__": {"persistence_policy": "x"}}',
    '{"constructor": "x", "toString": "y"}',
  ])('ignores the unknown keys of %s (S0-21, S1-62)', (overrides) =>
    expect(build(overrides)).toBe(expected()),
  );

  it('lets the last of two equal keys win', () => {
    const overrides = '{"extra_policy": "first", "extra_policy": "last"}';
    expect(build(overrides)).toBe(expected({}, 'last'));
  });

  it('keeps what the organisation says apart from the task (S0-43)', () => {
    const overrides = '{"extra_policy": "Answer in French."}';
    const tasks = ['Take orders.', 'Write letters.'].map((task) => build(overrides, task).slice(task.length));
    expect(tasks[0]).toBe(tasks[1]);
  });

  it('has no way in for the data of a run (S0-44)', () => {
    const parts = {
      instruction: 'Take orders.',
      promptPolicyOverrides: '',
      context: [{ content: 'runtime data' }],
    };
    expect(buildSystemInstruction(parts)).toBe(expected());
  });

  it('survives policies nested far too deeply', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(build(`{"persistence_policy": ${deep}}`)).toContain('[nested too deeply]');
  });

  it('keeps tags and order for any overrides', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (overrides) => {
        const positions = TAGS.map((tag) => build(overrides).indexOf(`<${tag}>\n`));
        expect(positions).not.toContain(-1);
        expect(positions).toEqual([...positions].sort((a, b) => a - b));
      }),
    );
  });
});

describe('the default policies (S1-59)', () => {
  it.each(POLICY_BLOCKS)('%s is three or four bullet lines', (block) => {
    const lines = DEFAULT_POLICIES[block].split('\n');
    expect(lines.every((line) => line.startsWith('- '))).toBe(true);
    expect([3, 4]).toContain(lines.length);
  });

  it('ask for a short <think> block before tools, without a label', () => {
    expect(DEFAULT_POLICIES.tool_preamble_policy).toContain('<think>');
    expect(DEFAULT_POLICIES.tool_preamble_policy).toContain('意図：');
  });
});
