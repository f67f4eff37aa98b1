import type { DataSource } from 'typeorm';
import {
  ApiKeyChangesStore,
  ensureTenant,
  formatApiKey,
  hashApiKeySecret,
  makeApiKey,
} from '#libs/persistence';

/** Creates a key, and its tenant if it is missing; returns the key in the form that clients send. */
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
