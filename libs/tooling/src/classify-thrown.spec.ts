import { describe, expect, it } from '@jest/globals';
import { AppError } from '#libs/kernel';
import { z } from 'zod';
import { isTransient, mayHaveTakenEffect } from './classify-thrown.js';
import { ToolNotBegun } from './tool-not-begun.js';
import { ToolOutcomeUnknown } from './tool-outcome-unknown.js';

const coded = (code: string, message = 'no'): Error => Object.assign(new Error(message), { code });
const fetchFailed = (cause: unknown): Error => new TypeError('fetch failed', { cause });
const status = (fields: object): Error => Object.assign(new Error('bad status'), fields);
class InsufficientFunds extends Error {}

const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

describe('errors of an unsafe tool', () => {
  it.each<[string, unknown]>([
    ['an error', new Error('the account is closed')],
    ['an error of its own', new InsufficientFunds('5 are missing')],
    ['an error of ours', new AppError({ code: 'CONFLICT', kind: 'conflict', message: 'taken' })],
    ['a text', 'no'],
    ['nothing', undefined],
    ['an answer 409', status({ status: 409 })],
    ['an answer 422 of another client', status({ response: { status: 422 } })],
    ['a port without a listener', coded('ECONNREFUSED')],
    ['that, as fetch throws it', fetchFailed(coded('ECONNREFUSED'))],
    ['a host that is not known', fetchFailed(coded('ENOTFOUND'))],
    ['a connection that was never made', fetchFailed(coded('UND_ERR_CONNECT_TIMEOUT'))],
    ['a certificate that is not good', fetchFailed(coded('CERT_HAS_EXPIRED'))],
    ['an address that is none', thrownBy(() => new URL('nonsense'))],
    ['a guarded fetch that sent nothing', coded('FETCH_NOT_SENT')],
    ['a guarded fetch that reached no host', coded('FETCH_NOT_REACHED')],
    ['a constraint of the database', coded('23505')],
    ['a database that went away before anything was done', new ToolNotBegun('no', { cause: coded('08006') })],
    ['that, wrapped', new Error('no', { cause: new ToolNotBegun('no', { cause: coded('ECONNRESET') }) })],
    ['a serialization failure', coded('40001')],
  ])('is its word that nothing happened: %s', (_what, thrown) => {
    expect(mayHaveTakenEffect(thrown)).toBe(false);
  });

  it.each<[string, unknown]>([
    ['its own word', new ToolOutcomeUnknown('no answer')],
    [
      'its own word, of which something else was the cause',
      new ToolOutcomeUnknown('no answer', { cause: new ToolNotBegun('no') }),
    ],
    ['its own word, wrapped', new Error('charging failed', { cause: new ToolOutcomeUnknown('no answer') })],
    ['a reset connection', coded('ECONNRESET')],
    ['that, as fetch throws it', fetchFailed(coded('UND_ERR_SOCKET', 'other side closed'))],
    ['a broken pipe', coded('EPIPE')],
    ['a socket that hung up, without a code', new Error('socket hang up')],
    ['headers that did not come', fetchFailed(coded('UND_ERR_HEADERS_TIMEOUT'))],
    ['a body that did not come', fetchFailed(coded('UND_ERR_BODY_TIMEOUT'))],
    ['a failed fetch that does not say why', new TypeError('fetch failed')],
    ['a guarded fetch that broke off', coded('FETCH_BROKE_OFF')],
    ['a guarded fetch whose answer is of no use', coded('FETCH_IN_VAIN')],
    ['an aborted request', new DOMException('aborted', 'AbortError')],
    ['a time-out of its own', new DOMException('timed out', 'TimeoutError')],
    ['an answer 500', status({ status: 500 })],
    ['an answer 502 of another client', status({ response: { statusCode: 502 } })],
    ['an answer that is not JSON', thrownBy(() => JSON.parse('<html>'))],
    ['an answer of another shape', thrownBy(() => z.string().parse(1))],
    ['a mistake in the tool', thrownBy(() => (null as unknown as { id: string }).id)],
    ['a database that went away', coded('57P01')],
    ['a broken database connection', new Error('Connection terminated unexpectedly')],
    ['a broken database connection, with a code', coded('08006')],
  ])('leaves open what happened: %s', (_what, thrown) => {
    expect(mayHaveTakenEffect(thrown)).toBe(true);
  });

  it('are classified for any thrown value', () => {
    const loop: { cause?: unknown } = {};
    loop.cause = loop;
    const hostile = new Proxy(new Error('no'), {
      get: () => {
        throw new Error('do not look');
      },
    });
    expect([loop, hostile, Object.create(null), 7].map(mayHaveTakenEffect)).toEqual(Array(4).fill(false));
  });
});

describe('failures that may pass', () => {
  it.each<[string, unknown, boolean]>([
    ['its own word that it does not know', new ToolOutcomeUnknown('no answer'), true],
    ['a reset connection, as fetch throws it', fetchFailed(coded('ECONNRESET')), true],
    ['a port without a listener', coded('ECONNREFUSED'), true],
    ['a time-out of its own', new DOMException('timed out', 'TimeoutError'), true],
    ['a socket that hung up, without a code', new Error('socket hang up'), true],
    ['a database that went away', coded('57P01'), true],
    ['an answer 500', status({ status: 500 }), true],
    ['an answer 503 of another client', status({ response: { statusCode: 503 } }), true],
    ['an answer 429', status({ status: 429 }), true],
    ['an answer 501', status({ status: 501 }), false],
    ['an answer 404', status({ status: 404 }), false],
    ['a host that is not known', coded('ENOTFOUND'), false],
    ['a certificate that is not good', coded('CERT_HAS_EXPIRED'), false],
    ['a guarded fetch that reached no host', coded('FETCH_NOT_REACHED'), true],
    ['a guarded fetch that broke off', coded('FETCH_BROKE_OFF'), true],
    ['a guarded fetch that may not be sent', coded('FETCH_NOT_SENT'), false],
    ['a guarded fetch whose answer is of no use', coded('FETCH_IN_VAIN'), false],
    ['a word of the tool', new Error('the account is closed'), false],
    ['a mistake in the tool', thrownBy(() => (null as unknown as { id: string }).id), false],
    ['an answer that is not JSON', thrownBy(() => JSON.parse('<html>')), false],
  ])('%s: %#', (_what, thrown, expected) => {
    expect(isTransient(thrown)).toBe(expected);
  });
});
