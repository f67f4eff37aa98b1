import { describe, expect, it } from '@jest/globals';
import { reasonOf, type FetchFailureReason } from './fetch-failure.js';
import { BlockedAddressError } from './guarded-connect.js';

const coded = (code: string, cause?: unknown): Error =>
  Object.assign(new Error('secret text', { cause }), { code });

describe('reasonOf', () => {
  it.each<[string, unknown, FetchFailureReason]>([
    ['a blocked address', new BlockedAddressError(), 'blocked_address'],
    ['a blocked address inside', coded('UND_ERR_SOCKET', new BlockedAddressError()), 'blocked_address'],
    ['several addresses in vain', new AggregateError([coded('ETIMEDOUT'), coded('EHOSTUNREACH')]), 'timeout'],
    ['no connection in time', coded('UND_ERR_CONNECT_TIMEOUT'), 'timeout'],
    ['no headers in time', coded('UND_ERR_HEADERS_TIMEOUT'), 'timeout'],
    ['an unknown name', coded('ENOTFOUND'), 'unknown_host'],
    ['a name without an address', coded('ENODATA'), 'unknown_host'],
    ['a silent name server', coded('EAI_AGAIN'), 'unresolved_host'],
    ['a certificate of another name', coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'invalid_certificate'],
    ['an old certificate', coded('CERT_HAS_EXPIRED'), 'invalid_certificate'],
    ['a self-signed certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'invalid_certificate'],
    ['endless headers', coded('UND_ERR_HEADERS_OVERFLOW'), 'invalid_answer'],
    ['a closed port', coded('ECONNREFUSED'), 'connection_failed'],
    ['a reset', coded('ECONNRESET'), 'connection_failed'],
    ['a code that is no text', Object.assign(new Error('odd'), { code: 7 }), 'connection_failed'],
    ['something thrown that is no error', 'text', 'connection_failed'],
  ])('%s', (_name, error, reason) => expect(reasonOf(error)).toBe(reason));
});
