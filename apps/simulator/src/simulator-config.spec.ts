import { describe, expect, it } from '@jest/globals';
import { parseSimulatorConfig } from './simulator-config.js';

describe('the environment', () => {
  it('is optional', () => {
    expect(parseSimulatorConfig({})).toEqual({ config: { host: '127.0.0.1', port: 4010, apiKey: null } });
  });

  it('chooses host, port and key; an empty key is none', () => {
    const env = { SIMULATOR_HOST: '0.0.0.0', SIMULATOR_PORT: '0', SIMULATOR_API_KEY: 'sk-1' };
    expect(parseSimulatorConfig(env)).toEqual({ config: { host: '0.0.0.0', port: 0, apiKey: 'sk-1' } });
    expect(parseSimulatorConfig({ SIMULATOR_API_KEY: '' })).toMatchObject({ config: { apiKey: null } });
  });

  it.each(['x', '-1', '70000', '1.5'])('is refused in one line with the port %s', (port) => {
    const parsed = parseSimulatorConfig({ SIMULATOR_PORT: port });
    expect('problem' in parsed ? parsed.problem : '').toMatch(
      /^simulator: the environment is wrong: SIMULATOR_PORT: .+$/,
    );
  });
});
