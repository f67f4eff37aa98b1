import { expect, it } from '@jest/globals';
import { contentTag, parseContentTags } from './content-tag.js';

it.each([
  [undefined, null],
  [' * ', 'any'],
  [contentTag('ab12'), ['ab12']],
  ['"ab12", "cd34"', ['ab12', 'cd34']],
  ['W/"ab12"', []],
])('If-Match %s names the contents %j', (header, hashes) => {
  expect(parseContentTags(header)).toEqual(hashes);
});

it.each(['ab12', '', '"ab'])('If-Match %j is refused', (header) => {
  expect(() => parseContentTags(header)).toThrow('If-Match: must be * or the ETag');
});
