import fc from 'fast-check';

const PROTOTYPE_KEYS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'],
  ...['isPrototypeOf', '__defineGetter__', '__lookupSetter__', 'then', 'toJSON', 'length', 'name'],
];

const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth);

/** JSON texts of single values that have broken readers before. */
const HOSTILE_JSON = [
  ...['null', 'true', 'false', '0', '-1', '-0', '1.5', '1e400', '-1e400', '1e-400', '9007199254740993'],
  ...['2147483648', '-2147483649', '9'.repeat(400), `0.${'9'.repeat(400)}`, '""', '" "', '"\\u0000"'],
  ...['"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ufeff"', '"__proto__"', '"${token}"', '[]', '[[]]'],
  ...['{}', '[null]', '{"":{}}', '"constructor"', '"../../etc/passwd"', '"1; DROP TABLE agent"', '"%00"'],
  ...['"1e3"', '"true"', '{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}'],
  ...['{"toString":1,"valueOf":2,"hasOwnProperty":3}', '{"then":{}}', '{"toJSON":"x"}', '[1,"a",null,{}]'],
  ...[nested(60, '[', ']'), nested(70, '[', ']'), nested(5_000, '{"a":', '}').replace(':}', ':1}')],
  ...[`"${'x'.repeat(210_000)}"`, `"${'\\u0000'.repeat(2_000)}"`, `"${'🍎'.repeat(600)}"`],
  `[${Array.from({ length: 300 }, (_, index) => index).join(',')}]`,
  `{${Array.from({ length: 300 }, (_, index) => `"k${index}":"v"`).join(',')}}`,
];

export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_JSON) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);

/** Keys with a meaning in JavaScript, and random or meaningless ones. */
export const hostileKey: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PROTOTYPE_KEYS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('', '\u0000', '\ud800', '~1', '/', 'x'.repeat(3_000)) },
);

/** Bodies that violate every schema; most are not JSON. */
export const hostileBody: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  hostileJson.map((text) => Buffer.from(text)),
  fc
    .constantFrom(
      ...['', ' ', '{', '}', '{"a"', '[', '"', 'nul', '{}{}', '{"a":1,}', "{'a':1}", '\ufeff{}', 'a=b&c=d'],
      ...['{"input":"x"', '{"a":01}', '{"a":NaN}', '{"a":"\n"}', nested(100_000, '[', ']')],
    )
    .map((text) => Buffer.from(text)),
  fc.constant(Buffer.alloc(1_100_000, ' ')),
  fc.constant(Buffer.from('{"name":"x"}', 'utf16le')),
);

/** A path segment in its sent form. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['0', '-1', '1.5', '1e3', '0x1', '2147483647', '2147483648', '9'.repeat(30), 'NaN', 'null'],
    ...[
      'undefined',
      'true',
      '%20',
      '+1',
      "1'--",
      '1%3BDROP',
      '%00',
      '1%00',
      '%0d%0aX-Evil:1',
      '%e7%99%ba',
      '%ff',
    ],
    ...['%', '%zz', '%u0041', '.', '..', '%2e%2e', '%2f', '..%2f..%2f', '*', ':id', '{id}', '__proto__'],
    ...['constructor', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ...['evt_', 'evt_0', `evt_${'f'.repeat(64)}`, 'x'.repeat(100), 'x'.repeat(101), '9'.repeat(5_000)],
  ),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .map((text) => encodeURIComponent(text.toWellFormed())),
);

/** The value of a query parameter in its sent form. */
export const hostileQueryValue: fc.Arbitrary<string> = fc.oneof(
  hostileSegment,
  fc.constantFrom(
    ...[
      '',
      '-0',
      '101',
      '1000000',
      'MQ',
      'MQ==',
      'LTE',
      'MjE0NzQ4MzY0OA',
      'A'.repeat(5_000),
      '%5B%5D',
      '[object]',
    ],
  ),
  fc.string({ maxLength: 30 }).map((text) => Buffer.from(text).toString('base64url')),
);

/** Names of query parameters that the API does not know. */
export const hostileQueryName: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    'x',
    '__proto__',
    'constructor',
    'limit[]',
    'limit[a]',
    'limit.a',
    '',
    '%00',
    '%ff',
    'a%5B__proto__%5D%5Bb%5D',
  ],
);

/** Header values within the characters that Node.js agrees to send. */
export const hostileHeaderValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      ',',
      ',,,',
      '"',
      '""',
      'W/',
      'W/"',
      '*',
      '"*"',
      '"1"',
      'W/"1"',
      '"1", "2"',
      '"1" "2"',
      '-1',
      '0',
    ],
    ...[
      'NaN',
      '1e9',
      'wait',
      'wait=',
      'wait=-1',
      'wait=0',
      'wait="1',
      'wait=1.5',
      'wait=wait',
      'respond-async',
    ],
    ...[
      'x'.repeat(255),
      'x'.repeat(256),
      'x'.repeat(4_000),
      '2147483647',
      '2147483648',
      '9'.repeat(40),
      '__proto__',
    ],
    ...['\u00e4\u00f6', '\\', '"\\"', 'a,b;c=d', 'a;', '=', '"\\\\"'],
  ),
  fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')),
);
