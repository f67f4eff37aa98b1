import { describe, expect, it } from '@jest/globals';
import { backendOf, engineEnvironment, type Backend } from './engine-environment.js';

function environment(backend: Backend): Readonly<Record<string, string>> {
  const models = { model: 'claude-opus', sonnet: 'claude-sonnet', haiku: 'claude-haiku' };
  return engineEnvironment({ backend, ...models, home: '/run/one', maxOutputTokens: 4_000 });
}

const OPTIONS = { claude_agent_backend: 'bedrock', claude_agent_region: 'eu-central-1' };

describe('engineEnvironment (S4-11, 3.I-13)', () => {
  it('inherits nothing, and names models, folder and limits', () => {
    process.env['CANARY'] = 'of the worker';
    const made = environment({ kind: 'anthropic', apiKey: 'sk-1', baseUrl: null });
    expect(made).toMatchObject({
      HOME: '/run/one',
      TMPDIR: '/run/one',
      CLAUDE_CONFIG_DIR: '/run/one/config',
      ANTHROPIC_API_KEY: 'sk-1',
      ANTHROPIC_MODEL: 'claude-opus',
      ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-sonnet',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-haiku',
      CLAUDE_CODE_SUBAGENT_MODEL: 'haiku',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '4000',
      CLAUDE_CODE_MAX_RETRIES: '0',
      CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    });
    expect(Object.keys(made).filter((name) => /CANARY|AWS|BEDROCK|BASE_URL/.test(name))).toEqual([]);
    delete process.env['CANARY'];
  });

  it.each([
    ['AKID:secret', { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret' }],
    [
      'AKID:secret:token',
      { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' },
    ],
    ['an-api-key', { AWS_BEARER_TOKEN_BEDROCK: 'an-api-key' }],
  ])('asks Bedrock with the key %j', (apiKey, keys) => {
    const made = environment(backendOf({ apiKey, baseUrl: 'https://vpce.test' }, OPTIONS));
    const given = Object.entries(made).filter(([name]) => /AWS|BEDROCK|API_KEY|BASE_URL/.test(name));
    expect(Object.fromEntries(given)).toEqual({
      CLAUDE_CODE_USE_BEDROCK: '1',
      AWS_REGION: 'eu-central-1',
      ANTHROPIC_BEDROCK_BASE_URL: 'https://vpce.test',
      ...keys,
    });
  });

  it('asks Bedrock in us-west-2 where no region is set', () =>
    expect(backendOf({ apiKey: 'k', baseUrl: null }, { claude_agent_backend: 'bedrock' })).toMatchObject({
      region: 'us-west-2',
    }));
});
