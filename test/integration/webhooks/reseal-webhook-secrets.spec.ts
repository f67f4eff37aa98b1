import { expect, it } from '@jest/globals';
import {
  createDataSource,
  WebhookEndpointStore,
  WebhookSecretStore,
  WebhookSigningSecretStore,
} from '#libs/persistence';
import { parseKeyring, SecretBox, webhookSecretPlace } from '#libs/secrets';
import { resealSecrets } from '../../../apps/migrate/src/reseal-secrets.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;

interface Secrets {
  readonly secret_sealed: string;
  readonly previous_secret_sealed: string | null;
}

it('webhook secrets are sealed anew, old and new ones, after which the old key is not needed any more', async () => {
  const database = await createSeededDatabase();
  const dataSource = await createDataSource({ url: database.url }).initialize();
  const stored = async (table = 'webhook_endpoint'): Promise<Secrets> => {
    const [row] = await dataSource.query<[Secrets]>(`SELECT * FROM ${table}`);
    return row;
  };
  try {
    const endpoints = new WebhookEndpointStore(dataSource);
    const sealing = (secret: string) => (id: number | null) =>
      new SecretBox(parseKeyring(OLD)).seal(secret, webhookSecretPlace('default', id));
    const fields = { url: 'https://example.com/', events: ['execution.failed'] as const };
    const endpoint = await endpoints.create('default', fields, sealing('whsec_first'));
    if (typeof endpoint === 'string') throw new Error(endpoint);
    const { id } = endpoint;
    await endpoints.rotateSecret('default', id, sealing('whsec_second'));

    const signing = new WebhookSigningSecretStore(dataSource);
    for (const secret of ['whsec_third', 'whsec_fourth'])
      await signing.rotate('default', sealing(secret)(null));

    expect(await resealSecrets(database.url, `${NEW},${OLD}`)).toBe(4);
    expect(await resealSecrets(database.url, NEW)).toBe(0);

    const box = new SecretBox(parseKeyring(NEW));
    const { secret_sealed, previous_secret_sealed } = await stored();
    const place = webhookSecretPlace('default', id);
    expect(box.open(secret_sealed, place)).toBe('whsec_second');
    expect(box.open(previous_secret_sealed ?? '', place)).toBe('whsec_first');

    const signingSecrets = await stored('webhook_signing_secret');
    const signingPlace = webhookSecretPlace('default', null);
    expect(box.open(signingSecrets.secret_sealed, signingPlace)).toBe('whsec_fourth');
    expect(box.open(signingSecrets.previous_secret_sealed ?? '', signingPlace)).toBe('whsec_third');

    for (const table of ['webhook_endpoint', 'webhook_signing_secret']) {
      await new WebhookSecretStore(dataSource).forgetExpired();
      expect((await stored(table)).previous_secret_sealed).not.toBeNull();
      await dataSource.query(`UPDATE ${table} SET previous_secret_expires_at = now() - interval '1 s'`);
      await new WebhookSecretStore(dataSource).forgetExpired();
      expect((await stored(table)).previous_secret_sealed).toBeNull();
    }
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
