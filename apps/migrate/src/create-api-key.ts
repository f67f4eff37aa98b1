import { ApiKeyStore, createDataSource, formatApiKey, hashApiKeySecret, makeApiKey } from '#libs/persistence';
import { wholeDatabase } from './database.js';

export interface NewKey {
  readonly tenantId: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Makes a key and answers it as text: the only time that its secret is seen. */
export async function createApiKey(url: string, { tenantId, name, scopes }: NewKey): Promise<string> {
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    const key = makeApiKey();
    await new ApiKeyStore(dataSource).create({
      id: key.id,
      tenantId,
      name,
      scopes,
      secretSha256: hashApiKeySecret(key.secret),
    });
    return formatApiKey(key);
  } finally {
    await dataSource.destroy();
  }
}
