import { describe, expect, it } from '@jest/globals';
import { hostileArguments } from './hostile-arguments.js';

const VALID = '{"query":"roma","limit":null}';

describe('hostile arguments', () => {
  it.each([
    ['empty', ''],
    ['array', '[]'],
    ['null', 'null'],
    ['lone_surrogate', '{"query":"a\ud800b"}'],
  ] as const)('%s are exactly that', (value, expected) => {
    expect(hostileArguments(value, VALID)).toBe(expected);
  });

  it('are not JSON when they shall not be', () => {
    expect((): unknown => JSON.parse(hostileArguments('invalid_json', VALID))).toThrow(SyntaxError);
    expect((): unknown => JSON.parse(hostileArguments('invalid_json', ''))).toThrow(SyntaxError);
  });

  it('are a megabyte and more, and still JSON', () => {
    const written = hostileArguments('one_megabyte', VALID);
    expect(written.length).toBeGreaterThanOrEqual(1024 * 1024);
    expect(JSON.parse(written)).toMatchObject({ limit: null });
  });

  it('are ten thousand levels deep', () => {
    const written = hostileArguments('deep', VALID);
    expect(written.match(/\{/g)).toHaveLength(10_000);
    expect((): unknown => JSON.parse(written)).not.toThrow();
  });

  it('hold a NUL and a lone surrogate once they are parsed', () => {
    expect(JSON.parse(hostileArguments('nul', VALID))).toMatchObject({ query: 'a\u0000b' });
    const written = hostileArguments('lone_surrogate_escaped', VALID);
    expect(written.isWellFormed()).toBe(true);
    expect(JSON.parse(written)).toEqual({ query: 'a\ud800b' });
  });

  it.each([VALID, '{}', '', 'not json'])('try to pollute beside what is valid: %j', (valid) => {
    const parsed: unknown = JSON.parse(hostileArguments('proto', valid));
    expect(Object.keys(parsed ?? {})).toEqual(expect.arrayContaining(['__proto__', 'constructor']));
    expect(parsed).toEqual(valid === VALID ? expect.objectContaining({ query: 'roma' }) : expect.anything());
  });
});
