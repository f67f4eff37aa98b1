import { describe, expect, it } from '@jest/globals';
import { callSignature, checkRepeat, type EarlierCall } from './failed-call-guard.js';
import { FAILED_CALL_TEXT, UNKNOWN_OUTCOME_ADVICE_TEXT } from './fixed-texts.js';

const asked = { toolName: 'search', input: { query: 'tomato', limit: 5 } as object };
const signed = ({ toolName, input }: typeof asked) => ({
  toolName,
  signature: () => callSignature({ toolName, input }),
});
const call = signed(asked);
const earlier = ({ status, output, ...overrides }: Partial<typeof asked & EarlierCall>): EarlierCall => ({
  ...signed({ ...asked, ...overrides }),
  status: status ?? 'failed',
  output: output ?? FAILED_CALL_TEXT,
});

describe('checkRepeat', () => {
  it('lets the first call run (S0-38)', () => expect(checkRepeat(call, [])).toEqual({ kind: 'fresh' }));

  it('skips a call that failed before, and says what came of it (S0-38, S1-72, 3.D-9)', () => {
    expect(checkRepeat(call, [earlier({})])).toEqual({
      kind: 'repeat',
      reason: 'repeated_failure',
      output: 'tool invoke error: repeated failure detected; skipped duplicate call',
      original: 'tool invoke error: failed to execute tool',
    });
  });

  it.each<[string, Partial<typeof asked>]>([
    ['the keys in another order', { input: { limit: 5, query: 'tomato' } }],
    ['a field that is undefined besides', { input: { limit: 5, query: 'tomato', unit: undefined } }],
  ])('knows the call again with %s (3.D-7)', (_name, overrides) => {
    expect(checkRepeat(call, [earlier(overrides)]).kind).toBe('repeat');
  });

  it.each<[string, Partial<typeof asked>]>([
    ['another value', { input: { query: 'tomato', limit: 6 } }],
    ['the value as text', { input: { query: 'tomato', limit: '5' } }],
    ['another case', { input: { query: 'Tomato', limit: 5 } }],
    ['one field less', { input: { query: 'tomato' } }],
    ['another tool', { toolName: 'search_parcels' }],
  ])('lets a call with %s run (3.D-7)', (_name, overrides) => {
    expect(checkRepeat(call, [earlier(overrides)])).toEqual({ kind: 'fresh' });
  });

  it.each(['succeeded', 'refused'] as const)('lets a call run again that %s (3.D-8, 3.D-9)', (status) => {
    expect(checkRepeat(call, [earlier({ status })])).toEqual({ kind: 'fresh' });
  });

  it('still skips it when an equal call succeeded in between', () => {
    const past = [earlier({}), earlier({ status: 'succeeded', output: 'ok' })];
    expect(checkRepeat(call, past).kind).toBe('repeat');
  });

  it('does not repeat a call of unknown outcome', () => {
    const past = [earlier({ status: 'outcome_unknown', output: UNKNOWN_OUTCOME_ADVICE_TEXT })];
    expect(checkRepeat(call, past)).toEqual({
      kind: 'repeat',
      reason: 'repeated_unknown',
      output: 'tool invoke error: an equal call may have taken effect already; skipped duplicate call',
      original: UNKNOWN_OUTCOME_ADVICE_TEXT,
    });
  });

  it('finds the one that failed among thousands', () => {
    const others = Array.from({ length: 5_000 }, (_, index) =>
      earlier({ input: { query: 'tomato', limit: -index } }),
    );
    expect(checkRepeat(call, others)).toEqual({ kind: 'fresh' });
    expect(checkRepeat(call, [...others, earlier({})]).kind).toBe('repeat');
  });

  it('signs only what a call of the same tool that ended badly is compared with', () => {
    const signature = (): never => {
      throw new Error('nobody needs it');
    };
    const past = [earlier({ status: 'succeeded' }), earlier({ toolName: 'charge' })];
    expect(checkRepeat({ ...call, signature }, past)).toEqual({ kind: 'fresh' });
  });

  it('lets a call run that no checks accept: there is nothing it could repeat', () => {
    const refused = { toolName: 'search', signature: () => null };
    expect(checkRepeat(refused, [{ ...earlier({}), ...refused }])).toEqual({ kind: 'fresh' });
  });
});

describe('callSignature', () => {
  it('keeps name and input apart', () => {
    expect(callSignature({ toolName: 'a', input: ['b'] })).not.toBe(
      callSignature({ toolName: 'a["b"]', input: [] }),
    );
  });

  it('survives a cycle', () => {
    const input: Record<string, unknown> = {};
    input['self'] = input;
    expect(callSignature({ toolName: 'a', input })).toContain('nested too deeply');
  });
});
