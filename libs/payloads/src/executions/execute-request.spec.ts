import { describe, expect, it } from '@jest/globals';
import { executeRequestSchema } from './execute-request.js';

const executor = { user_id: 'u7', name: 'Mara', email: 'mara@example.com' };
const faultsOf = (request: object): string[] =>
  (executeRequestSchema.safeParse({ input: 'x', ...request }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

describe('a request to run an agent', () => {
  it('needs an input and nothing else (S3-19, S3-24, S3-39)', () => {
    expect(executeRequestSchema.safeParse({ input: 'こんにちは' })).toEqual({
      success: true,
      data: { input: 'こんにちは', options: {}, additional_data: {}, metadata: {} },
    });
  });

  it.each([[undefined], [null], [''], [' \n\t\u3000']])('is refused with the input %j (S3-28)', (input) => {
    expect(faultsOf({ input })).toEqual(['input: input is required']);
  });

  it('has its input trimmed (S3-12)', () => {
    expect(executeRequestSchema.parse({ input: ' \nhello ' }).input).toBe('hello');
  });

  it.each([
    ['an object', { page: 1 }],
    ['a text', 'seen on the page'],
    ['a number', 7],
    ['null', null],
    ['a list of sources', [{ content: 'c', title: 't', metadata: {} }]],
    ['a list of 101 things', Array.from({ length: 101 }, (_, index) => index)],
  ])('keeps a context of any JSON: %s (S1-55)', (_what, context) => {
    expect(executeRequestSchema.parse({ input: 'x', context })).toMatchObject({ context });
  });

  it.each<[string, object, string]>([
    ['a session that is no UUID', { session_uuid: 'a' }, 'session_uuid'],
    ['options that are a list', { options: [] }, 'options'],
    ['options that are null', { options: null }, 'options'],
    ['an unknown field', { optoins: {} }, ''],
  ])('is refused with %s (S3-24)', (_name, request, field) => {
    expect(faultsOf(request).map((fault) => fault.split(':')[0])).toEqual([field]);
  });

  it('carries on whose behalf, and which skills to prefer (S4-1)', () => {
    const given = {
      input: 'x',
      executor: { ...executor, employee_id: 'e9' },
      preferred_skills: ['refunds', ' no skill at all '],
    };
    expect(executeRequestSchema.safeParse(given)).toMatchObject({ success: true, data: given });
    expect(executeRequestSchema.safeParse({ ...given, executor }).data).toMatchObject({ executor });
  });

  it('takes an executor with an id alone (S4-1)', () => {
    expect(faultsOf({ executor: { user_id: 'u7' } })).toEqual([]);
  });

  it.each(['user_id'])('is refused with an executor without %s (S4-1)', (field) => {
    const { [field as 'name']: _missing, ...rest } = executor;
    expect(faultsOf({ executor: rest })).toHaveLength(1);
    expect(faultsOf({ executor: rest })[0]).toMatch(new RegExp(`^executor\\.${field}: `));
  });

  it('is refused with skills that are no list of texts (S4-1)', () => {
    expect(faultsOf({ preferred_skills: 'refunds' })).toHaveLength(1);
    expect(faultsOf({ preferred_skills: [7] })[0]).toMatch(/^preferred_skills\.0: /);
  });

  it.each(['enqueue', 'reject', 'interrupt'])(
    'says what to do with a busy conversation: %s (S4-3)',
    (on_conflict) => {
      expect(executeRequestSchema.parse({ input: 'x', on_conflict })).toMatchObject({ on_conflict });
    },
  );

  it('says nothing else of it (S4-3)', () => {
    expect(faultsOf({ on_conflict: 'steal' })).toHaveLength(1);
  });
});
