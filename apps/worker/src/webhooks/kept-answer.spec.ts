import { describe, expect, it } from '@jest/globals';
import { keptAnswer } from './kept-answer.js';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludA==';
const TYPE = { 'content-type': 'text/plain' };

function kept(body: string | Uint8Array, isWhole = true) {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return keptAnswer({ headers: TYPE, body: bytes, isWhole }, [SECRET]);
}

describe('the answer of a receiver', () => {
  it('is kept as text, with its type', () => {
    expect(kept('<b>no such order</b> 発注')).toEqual({
      ...{ content_type: 'text/plain', body: '<b>no such order</b> 発注', truncated: false },
    });
  });

  it('without a body is not kept', () => expect(kept('')).toBeNull());

  it('may have no type, or a strange one', () => {
    const typeOf = (type?: string | string[]) =>
      keptAnswer({ headers: { 'content-type': type }, body: Buffer.from('x'), isWhole: true }, [])
        ?.content_type;
    expect([typeOf(), typeOf(['a', 'b']), typeOf('x\0'.repeat(500))?.length]).toEqual([null, null, 200]);
  });

  it.each([
    ['longer than what is kept', 'x'.repeat(2_001), true],
    ['longer than what is read', 'x'.repeat(70_000), true],
    ['broken off', 'x', false],
  ])('says that it is %s', (_name, body, isWhole) => {
    expect(kept(body, isWhole)).toMatchObject({ body: body.slice(0, 2_000), truncated: true });
  });

  it('is cut between characters', () => {
    const apples = kept('🍎'.repeat(3_000))?.body ?? '';
    expect([apples.isWellFormed(), apples.length]).toEqual([true, 2_000]);
  });

  it('is kept without its bytes where they are no text', () => {
    expect(kept(Uint8Array.of(0x1f, 0x8b, 0xff))).toEqual({
      content_type: 'text/plain',
      body: null,
      truncated: false,
    });
  });

  it.each([
    ['the secret that signed the request', `echo: ${SECRET}`],
    ['a credential of its own', 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz123456'],
    ['a secret across the end of what is kept', `${'x'.repeat(1_990)}${SECRET}`],
  ])('holds no %s', (_name, body) => {
    const shown = kept(body)?.body ?? '';
    expect(shown).not.toMatch(/whsec_|abcdefghijklmnop|c2Vj/);
  });

  it('holds nothing that the database refuses', () => {
    expect(kept('a\0b')?.body).toBe('ab');
  });
});
