import { describe, expect, it } from '@jest/globals';
import { AppError } from '#libs/kernel';
import { describeStartFailure } from './start-failure.js';

const failure = (message: string, code?: string, more: object = {}): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code }, more);

describe('why a process cannot start', () => {
  it.each([
    [
      'too many clients',
      failure('sorry, too many clients already', '53300'),
      /takes up to DATABASE_POOL_SIZE \+ 9 .*max_connections/,
    ],
    [
      'a pooler that refuses the settings of a session',
      failure('unsupported startup parameter: options', '08P01'),
      /pooler.*DATABASE_DIRECT_URL/,
    ],
    [
      'a certificate of an unknown authority',
      failure('self-signed certificate', 'SELF_SIGNED_CERT_IN_CHAIN'),
      /sslrootcert/,
    ],
    ['a certificate that signs itself', failure('x', 'DEPTH_ZERO_SELF_SIGNED_CERT'), /sslrootcert/],
    ['a certificate of another host', failure('x', 'ERR_TLS_CERT_ALTNAME_INVALID'), /another host name/],
    ['a certificate of the past', failure('x', 'CERT_HAS_EXPIRED'), /has expired/],
    ['no TLS', failure('The server does not support SSL connections'), /asks for TLS by sslmode/],
    [
      'TLS demanded',
      failure('no pg_hba.conf entry for host "10.0.0.1", user "a", database "b", no encryption', '28000'),
      /with TLS only; add sslmode=verify-full/,
    ],
    ['a file that is not there', failure('x', 'ENOENT', { path: '/etc/ca.pem' }), /no file \/etc\/ca.pem/],
    [
      'nothing that listens',
      failure('x', 'ECONNREFUSED', { port: 5432 }),
      /nothing listens there \(port 5432\)$/,
    ],
  ])('is said of %s, in a line that names the setting', (_what, error, words) => {
    const line = describeStartFailure(error);
    expect(line).toMatch(/^cannot start: /);
    expect(line).toMatch(words);
    expect(line).not.toContain('\n');
  });

  it('is the database’s word where ours says less, and ours where another service is away', () => {
    const wrap = (code: 'DATABASE_UNAVAILABLE' | 'QUEUE_UNAVAILABLE', cause: Error): AppError =>
      new AppError({ code, kind: 'unavailable', message: 'it is away', cause });
    const full = failure('sorry, too many clients already', '53300');
    expect(describeStartFailure(wrap('DATABASE_UNAVAILABLE', full))).toContain('max_connections');
    expect(describeStartFailure(wrap('QUEUE_UNAVAILABLE', full))).toContain('max_connections');
    const refused = failure('x', 'ECONNREFUSED');
    expect(describeStartFailure(wrap('QUEUE_UNAVAILABLE', refused))).toBe('cannot start: it is away');
  });
});
