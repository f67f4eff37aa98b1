import { describe, expect, it } from '@jest/globals';
import { addressOf, consentOf, needsNothing, needsOf } from './server-needs.js';

describe('the needs of a server', () => {
  it('are the tokens of its templates, each once, and none of its document', () => {
    const config = {
      headers_template: { Authorization: 'Bearer ${crm_token}', 'X-Key': null },
      query_template: { key: '${key}', again: '${crm_token}' },
      document: 'text with ${other}',
    };
    expect(needsOf({ config })).toEqual({ tokens: ['crm_token', 'key'], isPerUser: false });
  });

  it('are a user where each user connects', () => {
    const needs = needsOf({ config: { url: 'https://a', auth: { grant: 'authorization_code' } } });
    expect(needs).toEqual({ tokens: [], isPerUser: true });
    expect(needsNothing(needs)).toBe(false);
    expect(needsNothing(needsOf({ config: {} }))).toBe(true);
  });
});

it('says who agrees to the use of a server', () => {
  expect(consentOf({ config: { auth: { grant: 'authorization_code' } } })).toBe('each user');
  expect(consentOf({ config: { auth: { grant: 'client_credentials' } } })).toBe('the service itself');
  expect(consentOf({ config: {} })).toBe(null);
});

it.each([
  ['http', { url: 'https://a' }, 'https://a'],
  ['openapi', { base_url: 'https://b' }, 'https://b'],
  ['openapi', {}, 'as the description says'],
  ['stdio', { command: 'npx', args: ['-y', 'x'] }, 'npx -y x'],
  ['builtin', {}, 'this installation'],
] as const)('names the address of a server of type %s', (type, config, address) => {
  expect(addressOf({ type, config })).toBe(address);
});
