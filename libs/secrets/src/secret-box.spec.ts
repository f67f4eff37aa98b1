import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseKeyring } from './keyring.js';
import { SecretBox } from './secret-box.js';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const PLACE = 'default/llm/7/api_key';
const box = (text: string) => new SecretBox(parseKeyring(text));

describe('SecretBox', () => {
  it('opens what it sealed, and never seals the same secret to the same text', () => {
    const sealed = box(OLD).seal('sk-秘密', PLACE);
    expect(box(OLD).open(sealed, PLACE)).toBe('sk-秘密');
    expect(sealed).not.toContain('sk-');
    expect(box(OLD).seal('sk-秘密', PLACE)).not.toBe(sealed);
  });

  it('does not open a secret in another place', () => {
    const sealed = box(OLD).seal('secret', PLACE);
    expect(() => box(OLD).open(sealed, 'default/llm/8/api_key')).toThrow(/belongs elsewhere/);
  });

  it('notices every changed character', () => {
    const sealed = box(OLD).seal('secret', PLACE);
    const parts = sealed.split('.');
    for (const index of [2, 3]) {
      const part = parts[index] ?? '';
      const flipped = (part[5] === 'A' ? 'B' : 'A') + part.slice(6);
      const changed = parts.with(index, part.slice(0, 5) + flipped).join('.');
      expect(() => box(OLD).open(changed, PLACE)).toThrow(/cannot be read/);
    }
  });

  it.each(['', 'v1', 'v2.old.a.b', 'v1.old.a', 'v1.old.a.b.c', 'plain text'])('refuses %j', (text) => {
    expect(() => box(OLD).open(text, PLACE)).toThrow(/cannot be read/);
  });

  it('opens old secrets after a new key took over, and seals them anew', () => {
    const sealed = box(OLD).seal('secret', PLACE);
    const rotated = box(`${NEW},${OLD}`);
    expect(rotated.isCurrent(sealed)).toBe(false);
    const resealed = rotated.reseal(sealed, PLACE);
    expect(rotated.isCurrent(resealed)).toBe(true);
    expect(box(NEW).open(resealed, PLACE)).toBe('secret');
  });

  it('distinguishes secrets of one place without keeping them, by its key only', () => {
    const print = box(OLD).fingerprint('secret', PLACE);
    expect(box(OLD).fingerprint('secret', PLACE)).toBe(print);
    expect(print).toMatch(/^[0-9a-f]{64}$/);
    const others = [
      box(OLD).fingerprint('secreT', PLACE),
      box(OLD).fingerprint('secret', 'default/llm/8/api_key'),
      box(NEW).fingerprint('secret', PLACE),
    ];
    expect(new Set([print, ...others]).size).toBe(4);
  });

  it('seals and opens nothing without ENCRYPTION_KEY, and says so', () => {
    const keyless = SecretBox.of(null);
    expect(keyless.isConfigured).toBe(false);
    expect(SecretBox.of(OLD).isConfigured).toBe(true);
    const notConfigured = expect.objectContaining({
      ...{ code: 'ENCRYPTION_NOT_CONFIGURED', kind: 'unprocessable' },
      message: 'Secrets cannot be stored, because ENCRYPTION_KEY is not set',
    }) as unknown as Error;
    expect(() => keyless.seal('secret', PLACE)).toThrow(notConfigured);
    expect(() => keyless.fingerprint('secret', PLACE)).toThrow(notConfigured);
    const sealed = box(OLD).seal('secret', PLACE);
    expect(() => keyless.open(sealed, PLACE)).toThrow(/cannot be read: ENCRYPTION_KEY is not set/);
  });

  it('names the key that is missing', () => {
    expect(() => box(NEW).open(box(OLD).seal('secret', PLACE), PLACE)).toThrow(/lacks the key "old"/);
  });
});

describe('parseKeyring', () => {
  it.each(['', 'abc', 'id:short', `${OLD},${OLD}`, `ID:${Buffer.alloc(32).toString('base64')}`])(
    'refuses %j and names the variable',
    (text) => {
      expect(() => parseKeyring(text)).toThrow(/ENCRYPTION_KEY/);
    },
  );

  it('refuses the key that .env.example shows, under any id and in any place', () => {
    const example = /^# ENCRYPTION_KEY=k1:(.*)$/m.exec(readFileSync('.env.example', 'utf8'))?.[1] ?? '';
    expect(example).toHaveLength(44);
    for (const text of [`k1:${example}`, `mine:${example}`, `${OLD},k1:${example}`]) {
      expect(() => parseKeyring(text)).toThrow(/key of \.env\.example/);
    }
  });
});
