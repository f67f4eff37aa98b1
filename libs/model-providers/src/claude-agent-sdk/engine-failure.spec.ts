import { describe, expect, it } from '@jest/globals';
import { engineFailure, reportedEngineFailure } from './engine-failure.js';

describe('failures of the engine (S4-37)', () => {
  it.each([
    ['authentication_failed', 'invalid_credentials', false],
    ['rate_limit', 'rate_limited', true],
    ['overloaded', 'provider_unavailable', true],
    ['model_not_found', 'model_not_found', false],
    ['constructor', 'provider_unavailable', true],
  ])('reports %s as %s', (word, reason, retryable) =>
    expect(reportedEngineFailure(word, 'API Error', [])).toMatchObject({ reason, retryable }),
  );

  it.each([
    ['server_error', 'API Error: Connection error.', 'connection_failed'],
    ['unknown', 'API Error: Unable to connect to API (ECONNREFUSED)', 'connection_failed'],
    ['server_error', 'API Error: 500 Internal server error', 'provider_unavailable'],
    ['rate_limit', 'Connection error', 'rate_limited'],
  ])('reports %s with the text %j as %s', (word, text, reason) =>
    expect(reportedEngineFailure(word, text, [])).toMatchObject({ reason, retryable: true }),
  );

  it('shows the text of the provider without keys, shortened', () => {
    const { message } = reportedEngineFailure('server_error', `sk-canary-1234567890 ${'x'.repeat(600)}`, [
      'sk-canary-1234567890',
    ]);
    expect(message).not.toContain('canary');
    expect(message).toHaveLength(500);
  });

  it('names the command that installs the SDK', () =>
    expect(engineFailure('not_installed')).toMatchObject({
      retryable: false,
      message: expect.stringContaining('npm run claude:install'),
    }));
});
