import { describe, expect, it } from '@jest/globals';
import { repairArguments } from './repair-arguments.js';

const P = '{"location":"Paris"}';
const twice = (text: string) => JSON.stringify(text);
const certain = (text: string) => repairArguments(text, { mayGuess: false });
const guessed = (text: string) => repairArguments(text, { mayGuess: true });

describe('broken arguments of which there is one reading', () => {
  it.each<[string, string]>([
    ['encoded twice', twice(P)],
    ['encoded three times', twice(twice(P))],
    ['encoded twice without quotes', '{\\"location\\":\\"Paris\\"}'],
    ['in a fence', '```json\n' + P + '\n```'],
    ['in a fence without a language', '```' + P + '```'],
    ['encoded twice in a fence', '```json\n' + twice(P) + '\n```'],
    ['with a comma before the end', '{"location":"Paris",}'],
    ['with a comma before the end, and blanks', '{"location":"Paris" , \n }'],
    ['repeated', P + P],
    ['repeated three times, in other notations', `${P}\n{ "location": "Paris" } ${twice(P)}`],
    ['after an empty object', '{}' + P],
    ['before an empty object', P + '\n{}'],
    ['before a sign', P + '<|im_end|>'],
    ['between signs', '<tool_call>\n' + P + '\n</tool_call><|eot_id|></s>'],
    ['before signs of other bars', P + '<｜tool▁call▁end｜><｜end▁of▁sentence｜>'],
    ['after a sign in brackets', '[TOOL_CALLS]' + P + '[/TOOL_CALLS]'],
    ['after a byte order mark', '\uFEFF' + P],
  ])('mean the object, where it is %s', (_name, text) => {
    expect(certain(text)).toBe(P);
  });

  it.each<[string, string, unknown]>([
    ['a raw newline and a tab in a string', '{"a":"x\ny\tz"}', { a: 'x\ny\tz' }],
    ['commas before the ends of what is inside', '{"a":[1,2,],"b":{"c":1,},}', { a: [1, 2], b: { c: 1 } }],
    ['what looks like an end within a string', '{"a":",}<|im_end|>```{}",}', { a: ',}<|im_end|>```{}' }],
    ['quotes in a string', '{"a":"say \\"hi,\\"",}', { a: 'say "hi,"' }],
    ['only empty objects', '{}{}', {}],
  ])('keep %s', (_name, text, meant) => {
    expect(JSON.parse(certain(text) ?? 'null')).toEqual(meant);
  });
});

describe('broken arguments of which there are two readings, or none', () => {
  it.each([
    ['that differ', '{"a":1}{"a":2}'],
    ['beside a list', P + '[1]'],
    ['within words', `call it with ${P}`],
    ['as a list', `[${P}]`],
    ['as a list that is encoded', twice(`[${P}]`)],
    ['encoded too often', twice(twice(twice(P)))],
    ['with a comma too much', '{"a":1,,"b":2}'],
    ['that begin twice', '{"loc' + P],
    ['that end within a string', '{"location":"Par'],
    ['that end within a number', '{"amount": 1'],
    ['that end within a word', '{"sure": tru'],
    ['that are nothing', ' '],
    ['that are words', 'Paris'],
    ['that are a number', '5'],
    ['far too deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['far too deep, and broken', `${'{"a":'.repeat(10_000)}{}${'}'.repeat(10_000)},`],
    ['too deep', `${'{"a":'.repeat(70)}{}${'}'.repeat(70)},`],
  ])('are not repaired: objects %s', (_name, text) => {
    expect([certain(text), guessed(text)]).toEqual([null, null]);
  });

  it.each<[string, string, unknown]>([
    [
      'quotes of Python',
      "{'location': 'Paris', 'sure': True, 'x': None}",
      { location: 'Paris', sure: true, x: null },
    ],
    ['an end that lacks', '{"location":"Paris"', { location: 'Paris' }],
    ['ends that lack', '{"a":[{"b":"c"}', { a: [{ b: 'c' }] }],
    ['names without quotes', '{location: "Paris"}', { location: 'Paris' }],
  ])('are repaired only where that may be guessed: %s', (_name, text, meant) => {
    expect(certain(text)).toBe(null);
    expect(JSON.parse(guessed(text) ?? 'null')).toEqual(meant);
  });

  it.each(['', '{}', P, ' {"a": 1, "a": 2} '])('are none of %j, which is not broken', (text) => {
    expect(guessed(text)).toBe(null);
  });

  it.each(['{', '{"a":', '"', '\\', ', ', '{},', '```', '<a', '<|', '"a" '])(
    'are not repaired in a text of the greatest length that repeats %j',
    (part) => {
      expect(guessed(`{"a":${part.repeat(262_000)}`.slice(0, 262_000))).toBe(null);
    },
  );
});
