import { expect, it } from '@jest/globals';
import { contentTag, parseExpectedContents } from './content-tag.js';

it.each([
  [undefined, null],
  [' * ', 'any'],
  [contentTag('ab12'), ['ab12']],
  ['"ab12", "cd34"', ['ab12', 'cd34']],
  ['W/"ab12"', []],
])('If-Match %s names the contents %j', (header, hashes) => {
  expect(parseExpectedContents(header, undefined)).toEqual(hashes);
});

it.each(['ab12', '', '"ab'])('If-Match %j is refused', (header) => {
  expect(() => parseExpectedContents(header, undefined)).toThrow('If-Match: must be * or the ETag');
});

it.each(['*', ' * '])('If-None-Match %j expects no file', (header) => {
  expect(parseExpectedContents(undefined, header)).toBe('none');
});

it.each([
  [undefined, contentTag('ab12')],
  [undefined, ''],
  [undefined, '*, *'],
  ['*', '*'],
  [contentTag('ab12'), '*'],
])('If-Match %j beside If-None-Match %j is refused', (ifMatch, ifNoneMatch) => {
  expect(() => parseExpectedContents(ifMatch, ifNoneMatch)).toThrow('If-None-Match: must be *');
});
