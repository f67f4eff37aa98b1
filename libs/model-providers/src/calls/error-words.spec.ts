import { describe, expect, it } from '@jest/globals';
import { errorWords, readErrorBody } from './error-words.js';

const WORDS = 'field required';

describe('the words of a provider', () => {
  it.each<[string, unknown, string]>([
    ['an error object', { error: { message: WORDS, code: 'x' } }, WORDS],
    ['an error that is a text', { error: WORDS }, WORDS],
    ['a message at the top (vLLM, LM Studio)', { object: 'error', message: WORDS, code: 400 }, WORDS],
    ['detail as a text', { detail: WORDS }, WORDS],
    ['detail as an object', { detail: { error: { message: WORDS } } }, WORDS],
    [
      'detail as a list (FastAPI)',
      { detail: [{ loc: ['body', 'messages', 0], msg: WORDS, type: 'missing' }] },
      `${WORDS} (body.messages.0)`,
    ],
    ['several of a list', { errors: [{ message: 'a' }, { message: 'b' }, 'c'] }, 'a; b; c'],
    ['a list at the top (Google)', [{ error: { code: 400, message: WORDS } }], WORDS],
    ['a message that is an object', { message: { detail: [{ msg: WORDS }] } }, WORDS],
    ['a problem', { type: 'about:blank', title: 'Bad Request', detail: WORDS }, WORDS],
    ['a short name', { errcode: 10_003, errmsg: WORDS }, WORDS],
    [
      'a message beside the name of an error',
      { error: 'Bad Request', message: WORDS, statusCode: 400 },
      WORDS,
    ],
    ['a text', WORDS, WORDS],
    [
      'a page',
      '<!DOCTYPE html><html><head><title>502 Bad\n Gateway</title></head></html>',
      '502 Bad Gateway',
    ],
    ['a page without a title', '<html><body><h1>Welcome</h1></body></html>', 'Welcome'],
    ['nothing', {}, ''],
    ['no words', { message: 7, error: null, detail: [] }, ''],
    ['null', null, ''],
  ])('are found in %s', (_shape, said, expected) => expect(errorWords(said)).toBe(expected));

  it('are not looked for without end', () => {
    const deep = JSON.parse('{"error":'.repeat(1_000) + '"x"' + '}'.repeat(1_000)) as unknown;
    expect(errorWords(deep)).toBe('');
  });

  it.each<[string, unknown, object]>([
    [
      'an error object',
      { error: { message: WORDS, code: 'c', param: 'p', type: 't' } },
      { code: 'c', param: 'p', type: 't' },
    ],
    ['fields at the top', { message: WORDS, code: 'c', type: 't' }, { code: 'c', type: 't' }],
    ['a list', [{ error: { message: WORDS, code: 'c' } }], { code: 'c' }],
    ['detail', { detail: [{ msg: WORDS }] }, {}],
  ])('stand in an error object as OpenAI has it: %s', (_shape, body, expected) =>
    expect(readErrorBody(JSON.stringify(body))).toMatchObject({ message: WORDS, ...expected }),
  );

  it.each([
    ['<html><title>Busy</title>', 'Busy'],
    ['upstream connect error', 'upstream connect error'],
  ])('are those of a body that is no JSON: %s', (body, message) =>
    expect(readErrorBody(body)).toEqual({ message }),
  );

  it('are missing where the body is empty', () => expect(readErrorBody('')).toEqual({}));
});
