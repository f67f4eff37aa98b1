import { expect, it } from '@jest/globals';
import { createDataSource, LlmStore } from '#libs/persistence';
import { llmKeyPlace, parseKeyring, SecretBox } from '#libs/secrets';
import { resealSecrets } from '../../../apps/migrate/src/reseal-secrets.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;

it('seals stored keys anew, after which the old key is not needed any more', async () => {
  const database = await createSeededDatabase();
  const dataSource = await createDataSource({ url: database.url }).initialize();
  try {
    const llms = new LlmStore(dataSource);
    const box = new SecretBox(parseKeyring(OLD));
    const fields = {
      name: 'a',
      provider: 'openai',
      model: 'm',
      credentials: {},
      extra: {},
      pricing: null,
      is_active: true,
    };
    const seal = (id: number) => ({
      sealed: box.seal('sk-secret', llmKeyPlace('default', id)),
      hint: 'cret',
    });
    const {
      view: { id },
    } = await llms.create('default', fields, seal);

    expect(await resealSecrets(database.url, `${NEW},${OLD}`)).toBe(1);
    expect(await resealSecrets(database.url, NEW)).toBe(0);
    const stored = await llms.findSealed('default', id);
    const opened = new SecretBox(parseKeyring(NEW)).open(
      stored?.apiKeySealed ?? '',
      llmKeyPlace('default', id),
    );
    expect(opened).toBe('sk-secret');
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
