import { describe, expect, it } from '@jest/globals';
import { redactSecrets, redactText } from './redact-secrets.js';

const R = '***REDACTED***';

describe('redactSecrets', () => {
  it.each([
    'token',
    'passwd',
    'api-key',
    'apiKey',
    'X_ACCESS_KEY',
    'private-key',
    'credentials',
    'Authorization',
  ])('hides what stands under %s, at any depth, as in a text (3.E-10)', (name) => {
    expect(redactSecrets([{ outer: { [name]: 'hunter22', kept: 1 } }])).toEqual([
      { outer: { [name]: R, kept: 1 } },
    ]);
    expect(redactText(`${name}=hunter22`)).toBe(`${name}=${R}`);
  });

  it.each(['name', 'keys', 'tok', 'monkey'])('shows what stands under %s', (name) => {
    expect(redactSecrets({ [name]: 'hunter22' })).toEqual({ [name]: 'hunter22' });
  });
});
