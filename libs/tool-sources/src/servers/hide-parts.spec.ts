import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hideParts } from './hide-parts.js';

const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789';

it('finds a part wherever it stands, and wherever it was cut', () => {
  const hide = hideParts([SECRET], '*');
  for (let before = 0; before < 20; before += 1)
    for (let from = 0; from + 16 <= SECRET.length; from += 1) {
      const part = SECRET.slice(from, from + 16);
      expect(hide(`${'-'.repeat(before)}${part}-`)).toBe(`${'-'.repeat(before)}*-`);
      expect(hide(`${'-'.repeat(before)}${part.slice(1)}-`)).toBe(`${'-'.repeat(before)}${part.slice(1)}-`);
    }
});

/** Reference implementation in quadratic time. */
function hideSlowly(secrets: readonly string[], text: string): string {
  const isHidden = Array.from(text, () => false);
  for (let from = 0; from + 16 <= text.length; from += 1)
    if (secrets.some((secret) => secret.includes(text.slice(from, from + 16))))
      isHidden.fill(true, from, from + 16);
  return Array.from(text, (char, at) => (isHidden[at] === true ? '*' : char))
    .join('')
    .replaceAll(/\*+/g, '*');
}

it('hides only the parts of a secret, of any characters', () => {
  const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), maxLength });
  const made = fc
    .tuple(fc.array(letters(40), { maxLength: 3 }), letters(30), letters(30), fc.nat(40), fc.nat(40))
    .map(([secrets, before, after, from, length]) => {
      const text = before + (secrets[0] ?? '').slice(from, from + length) + after;
      return { secrets, text };
    });
  fc.assert(
    fc.property(made, ({ secrets, text }) => {
      expect(hideParts(secrets, '*')(text)).toBe(hideSlowly(secrets, text));
    }),
  );
});

it('leaves what is written in other characters whole', () => {
  const secret = `${'x'.repeat(15)}😀${'y'.repeat(20)}`;
  expect(hideParts([secret], '*')(`${'y'.repeat(16)} ${secret}`)).toBe(`${'y'.repeat(16)} ${secret}`);
});

it('knows the beginnings of secrets that are too long together', () => {
  const long = Array.from({ length: 8_000 }, (_none, index) => `${index}`.padStart(10, '-')).join('');
  const hide = hideParts([long, SECRET], '*');
  expect(hide(long.slice(65_000, 65_100))).toBe('*');
  const beyond = `${long.slice(66_000, 66_100)} ${SECRET}`;
  expect(hide(beyond)).toBe(beyond);
});
