import { expect, it } from '@jest/globals';
import { parsePreferences } from './submit-headers.js';

it.each<[string | undefined, Record<string, string>]>([
  [undefined, {}],
  ['', {}],
  [',', {}],
  ['respond-async', { 'respond-async': '' }],
  ['wait=30, handling=lenient', { wait: '30', handling: 'lenient' }],
  ['Wait = 30 ,HANDLING="lenient"', { wait: '30', handling: 'lenient' }],
  ['wait=10, wait=20', { wait: '10' }],
  ['wait=10; strict=true, handling=strict;a="b, c"', { wait: '10', handling: 'strict' }],
  ['note="one, wait=5", wait=7', { note: 'one, wait=5', wait: '7' }],
  [String.raw`note="a \"quote\", wait=5", wait=7`, { note: 'a "quote", wait=5', wait: '7' }],
  ['note="never closed, wait=5', {}],
  ['"wait=10", handling=lenient', { handling: 'lenient' }],
  ['two words, wait=5', { wait: '5' }],
])('reads %j as %j', (header, preferences) => {
  expect(Object.fromEntries(parsePreferences(header))).toEqual(preferences);
});
