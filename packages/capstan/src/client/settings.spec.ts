import { describe, expect, it } from '@jest/globals';
import { environmentOf, settingsOf } from './settings.js';

const ENVIRONMENT = { CAPSTAN_API_KEY: 'cap_env', CAPSTAN_BASE_URL: 'https://capstan.example/' };

describe('the settings of a client', () => {
  it('are those of the environment', () => {
    expect(settingsOf({}, ENVIRONMENT)).toMatchObject({
      apiKey: 'cap_env',
      baseUrl: 'https://capstan.example',
    });
  });

  it('are those of the caller first', () => {
    const given = { apiKey: null, baseUrl: 'http://here:3000', maxRetries: 0, timeout: 5 };
    expect(settingsOf(given, ENVIRONMENT)).toMatchObject(given);
  });

  it('are defaults otherwise, also in a browser', () => {
    const settings = settingsOf({ baseUrl: undefined }, environmentOf({}));
    expect(settings).toMatchObject({
      apiKey: null,
      baseUrl: 'http://localhost:3000',
      maxRetries: 3,
      timeout: 60_000,
    });
  });

  it.each(['capstan.example', 'ftp://capstan.example', '/api'])('have no address %s', (baseUrl) => {
    expect(() => settingsOf({ baseUrl }, {})).toThrow('it must be an http or https URL');
  });
});
