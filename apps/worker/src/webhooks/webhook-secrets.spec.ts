import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { parseKeyring, SecretBox, webhookSecretPlace } from '#libs/secrets';
import { WebhookSecrets } from './webhook-secrets.js';

const box = new SecretBox(parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`));
const sealedFor = (tenantId: string, secret: string) => box.seal(secret, webhookSecretPlace(tenantId, null));

class CountingBox {
  opened = 0;
  open(...sealed: Parameters<SecretBox['open']>): string {
    this.opened += 1;
    return box.open(...sealed);
  }
}

function secretsUnderTest() {
  const counting = new CountingBox();
  const log: string[] = [];
  const logger = pino({}, { write: (line: string) => void log.push(line) });
  return { counting, log, secrets: new WebhookSecrets(counting as unknown as SecretBox, logger) };
}

const NOTHING_BEFORE = { endpointId: null, previousSecretSealed: null };

describe('the secrets that webhooks are signed with', () => {
  it('are opened once, however often they sign', () => {
    const { counting, secrets } = secretsUnderTest();
    const sealed = {
      tenantId: 't',
      endpointId: null,
      secretSealed: sealedFor('t', 'new'),
      previousSecretSealed: sealedFor('t', 'old'),
    };
    for (let count = 0; count < 3; count += 1) expect(secrets.open(sealed)).toEqual(['new', 'old']);
    expect(counting.opened).toBe(2);
  });

  it('can be decrypted only for their endpoint, also after they were decrypted before', () => {
    const { log, secrets } = secretsUnderTest();
    const secretSealed = sealedFor('t', 'whsec_mine');
    expect(secrets.open({ tenantId: 't', secretSealed, ...NOTHING_BEFORE })).toEqual(['whsec_mine']);
    expect(secrets.open({ tenantId: 'u', secretSealed, ...NOTHING_BEFORE })).toEqual([]);
    expect(log.join()).toContain('a webhook cannot be signed');
    expect(log.join()).not.toContain('whsec_mine');
  });

  it('are kept as long as they are used, and not without limit', () => {
    const { counting, secrets } = secretsUnderTest();
    const used = { tenantId: 'used', secretSealed: sealedFor('used', 's'), ...NOTHING_BEFORE };
    const others = Array.from({ length: 600 }, (_, index) => ({
      tenantId: `t${index}`,
      secretSealed: sealedFor(`t${index}`, 's'),
      ...NOTHING_BEFORE,
    }));
    for (const other of others) {
      secrets.open(used);
      secrets.open(other);
    }
    expect(counting.opened).toBe(1 + others.length);
    secrets.open(others[0] ?? used);
    expect(counting.opened).toBe(2 + others.length);
  });
});
