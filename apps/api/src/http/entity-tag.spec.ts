import { describe, expect, it } from '@jest/globals';
import { parseIfMatch } from './entity-tag.js';

describe('If-Match', () => {
  it.each<[string | undefined, readonly number[] | null]>([
    [undefined, null],
    ['*', null],
    [' * ', null],
    ['"1"', [1]],
    ['"1", "23"', [1, 23]],
    ['"1","2" , "3"', [1, 2, 3]],
    ['"1",', [1]],
    [',,"1",,', [1]],
    // Weak tags never match (RFC 9110, 13.1.1).
    ['W/"1"', []],
    ['W/"1", "2"', [2]],
    // Well-formed tags that this API does not issue.
    ['""', []],
    ['"abc"', []],
    ['"1,2"', []],
    ['"0"', []],
    ['"01"', []],
    ['"-1"', []],
    ['"1.0"', []],
    ['"9999999999"', []],
    // The hash of the content does not affect the version.
    ['"3-abcdefghijklmnopqrs_-0"', [3]],
    ['W/"3-abcdefghijklmnopqrs_-0"', []],
    ['"3-"', []],
    ['"3-abc"', []],
    ['"-abcdefghijklmnopqrs_-0"', []],
    ['"é"', []],
  ])('%s names the versions %j', (header, versions) => expect(parseIfMatch(header)).toEqual(versions));

  it.each([
    '',
    ' ',
    ',',
    '1',
    '"1',
    '1"',
    'w/"1"',
    'W/1',
    '"1" "2"',
    '*, "1"',
    '"1", *',
    '"1";q=1',
    'W/',
    '"a b"',
  ])('%j is no entity tag', (header) =>
    expect(() => parseIfMatch(header)).toThrow('If-Match: must be * or the ETag'),
  );
});
