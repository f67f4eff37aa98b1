import { describe, expect, it } from '@jest/globals';
import { normalizeCredentials, normalizeSettings } from '../provider/credentials.js';
import { bedrockCredentials, regionOf } from './bedrock-credentials.js';
import { readBedrockKey } from './bedrock-key.js';

describe('readBedrockKey', () => {
  it.each([
    ['bedrock-api-key-abc', { kind: 'bearer' }],
    ['AKID:secret', { kind: 'signing', accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: null }],
    [
      'AKID:secret:tok',
      { kind: 'signing', accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'tok' },
    ],
    ['a:b:c:d', { kind: 'bearer' }],
    [':secret', { kind: 'bearer' }],
  ])('reads %s', (key, expected) => expect(readBedrockKey(key)).toEqual(expected));
});

describe('regionOf', () => {
  it.each([
    [{}, null, 'us-west-2'],
    [{ bedrock_region: 'eu-west-1' }, 'https://bedrock-runtime.us-east-1.amazonaws.com', 'eu-west-1'],
    [{}, 'https://bedrock-runtime.us-east-1.amazonaws.com', 'us-east-1'],
    [{}, 'https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
    [{}, 'https://vpce-1.bedrock-runtime.ap-northeast-1.vpce.amazonaws.com', 'ap-northeast-1'],
    [{}, 'https://proxy.test/bedrock', 'us-west-2'],
  ])('for %j at %s is %s', (options, baseUrl, expected) => expect(regionOf(options, baseUrl)).toBe(expected));
});

describe('the form of Bedrock', () => {
  it('takes a key that signs, and a region', () =>
    expect(
      normalizeCredentials(bedrockCredentials, { bedrock_key: ' AKID:s/+= ', bedrock_region: ' eu-west-1 ' }),
    ).toMatchObject({ apiKey: 'AKID:s/+=', baseUrl: null, options: { bedrock_region: 'eu-west-1' } }));

  it.each(['EU', 'eu-west', 'evil.test/', 'eu-west-1.evil.test'])(
    'refuses the region %s, which is none',
    (region) =>
      expect(() => normalizeSettings(bedrockCredentials, { bedrock_region: region })).toThrow(
        expect.objectContaining({ code: 'INVALID_CREDENTIALS', details: { field: 'bedrock_region' } }),
      ),
  );

  it('keeps the path of a server as it is', () =>
    expect(normalizeSettings(bedrockCredentials, { bedrock_api_base: 'https://a.test/x/' }).baseUrl).toBe(
      'https://a.test/x',
    ));
});
