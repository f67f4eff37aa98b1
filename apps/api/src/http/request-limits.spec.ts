import { expect, it } from '@jest/globals';
import { addressSubject } from './request-limits.js';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::'],
  ['2001:db8:1:2:bbbb:1:2:3', '2001:db8:1:2::'],
  ['2001:db8:1:3::1', '2001:db8:1:3::'],
  ['127.0.0.1', null],
  ['127.8.9.1', null],
  ['::ffff:127.0.0.1', null],
  ['::1', null],
  ['', null],
  ['nonsense', null],
])('%s counts as %s', (address, subject) => {
  expect(addressSubject(address)).toBe(subject);
});
