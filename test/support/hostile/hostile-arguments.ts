import fc from 'fast-check';

const size = fc.integer({ min: 1_000, max: 100_000 });
const letters = 'qzxjkvwbcdfghlmnprst';

/** Letters in random order, which are slow to tokenize; the same for the same seed. */
function letterSoup(length: number, seed: number): string {
  let state = seed + 1;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return letters[Math.floor(state / 65_536) % letters.length];
  }).join('');
}

/** Texts in models, tools and documents that have been expensive for parsers and tokenizers. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(fc.integer({ min: 1_000, max: 200_000 }), fc.nat(1_000)).map((it) => letterSoup(...it)),
  fc.integer({ min: 1_000, max: 1_048_576 }).map((length) => 'x'.repeat(length)),
  size.map((count) => '語'.repeat(count)),
  size.map((count) => '\ud800'.repeat(count)),
  size.map((count) => '\u0000'.repeat(count)),
  size.map((count) => 'sk-'.repeat(count)),
  size.map((count) => 'Bearer '.repeat(count)),
  size.map((count) => '://a:'.repeat(count)),
  size.map((count) => 'password='.repeat(count)),
  size.map((count) => '<think>'.repeat(count)),
  size.map((count) => '${'.repeat(count)),
  size.map((count) => '`'.repeat(count)),
  size.map((count) => 'a.'.repeat(count)),
  size.map((count) => ' '.repeat(count)),
  size.map((count) => '<|im_end|>'.repeat(count)),
);

/** Arguments of a model's call: few are JSON, and none is valid for a tool. */
export const hostileArguments: fc.Arbitrary<string> = fc.oneof(
  size.map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  size.map((depth) => '```json\n' + `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}` + '\n```'),
  size.map((depth) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)},}`),
  size.map((count) => `{"a":1}`.repeat(count)),
  size.map((count) => Array.from({ length: count }, (_, at) => `{"a":${at}}`).join('')),
  size.map((count) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`),
  size.map((count) => `{${Array.from({ length: count }, () => '"a":1').join(',')}}`),
  size.map((count) => `{"a":${'\\'.repeat(count)}}`),
  size.map((count) => `{"a":"${'\\"'.repeat(count)}`),
  size.map((count) => `{${', '.repeat(count)}}`),
  size.map((count) => '```'.repeat(count)),
  size.map((count) => `{'a': ${"'b' ".repeat(count)}}`),
  size.map((count) => `{"a":"${'\n'.repeat(count)}"}`),
  size.map((count) => JSON.stringify({ a: JSON.stringify({ a: 'x'.repeat(count) }) })),
  hostileText.map((text) => JSON.stringify({ a: text })),
  fc.constantFrom(
    ...['{"a":1e400}', '{"a":-1e-400}', '{"__proto__":{"polluted":1}}', '{"a":"\\ud800"}', '{"a":"\\u0000"}'],
    ...[
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"a":1,"a":2}',
      '',
      'null',
      '[]',
      '"',
      '{',
      '\ufeff{}',
    ],
    `{"a":${'9'.repeat(100_000)}}`,
  ),
);
