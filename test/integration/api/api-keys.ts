import type { DataSource } from 'typeorm';
import {
  ApiKeyChangesStore,
  ensureTenant,
  formatApiKey,
  hashApiKeySecret,
  makeApiKey,
} from '#libs/persistence';

/** Makes a key, and its tenant where there is none, and answers it as clients send it. */
export async function createKey(
  dataSource: DataSource,
  scopes: readonly string[],
  tenantId = 'default',
): Promise<string> {
  await ensureTenant(dataSource, tenantId);
  const key = makeApiKey();
  const secretSha256 = hashApiKeySecret(key.secret);
  await new ApiKeyChangesStore(dataSource).create({
    id: key.id,
    tenantId,
    name: 'test',
    secretSha256,
    scopes,
  });
  return formatApiKey(key);
}
