import { describe, expect, it } from '@jest/globals';
import { isPrivateHost, type PrivateHost, privateHostsOf } from './address-policy.js';

const CRM: PrivateHost = { tenantId: 'acme', host: 'crm.internal', port: 8443 };
const WEB: PrivateHost = { tenantId: null, host: '10.0.0.7', port: 80 };
const ANY_PORT: PrivateHost = { tenantId: 'acme', host: '[::1]', port: null };

describe('hosts that the operator has named', () => {
  it.each<[string, boolean]>([
    ['https://crm.internal:8443/a', true],
    ['http://crm.internal:8443/a', true],
    ['https://CRM.internal:8443/a', true],
    ['https://crm.internal/a', false],
    ['https://crm.internal.example:8443/', false],
    ['https://x.crm.internal:8443/', false],
    ['http://10.0.0.7/', true],
    ['https://10.0.0.7/', false],
    ['http://10.0.0.8/', false],
    ['http://[::1]:4010/', true],
    ['http://[::2]:4010/', false],
  ])('%s: %s', (url, isNamed) => {
    expect(isPrivateHost(new URL(url), [CRM, WEB, ANY_PORT])).toBe(isNamed);
  });

  it('a tenant has its own and those of all, never those of another', () => {
    expect(privateHostsOf([CRM, WEB, ANY_PORT], 'acme')).toEqual([CRM, WEB, ANY_PORT]);
    expect(privateHostsOf([CRM, WEB, ANY_PORT], 'globex')).toEqual([WEB]);
  });
});
