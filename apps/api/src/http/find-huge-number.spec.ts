import { describe, expect, it } from '@jest/globals';
import { findHugeNumber } from './find-huge-number.js';

describe('findHugeNumber', () => {
  it.each<[string, (string | number)[] | null]>([
    ['{"a": [1, {"b": 1e999}]}', ['a', 1, 'b']],
    ['-1e400', []],
    ['{"a": 1e308, "b": "1e999", "c": null}', null],
    ['[]', null],
  ])('%s → %j', (json, path) => expect(findHugeNumber(JSON.parse(json))).toEqual(path));
});
