import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { describeMisspeltVariable, parseEnv } from '#libs/config';
import { AppError } from '#libs/kernel';
import { describeStartFailure } from '#libs/observability';
import { assertSessions, DEFAULT_SCOPES, parseScopes } from '#libs/persistence';
import {
  createApiKey,
  describeApiKey,
  listApiKeys,
  parseExpiry,
  parseKeyId,
  parseOverlap,
  revokeApiKey,
  rotateApiKey,
} from './api-keys.js';
import { markRestoredExecutions } from './mark-restored.js';
import { migrate } from './migrate.js';
import { resealSecrets } from './reseal-secrets.js';
import { schemaDrift } from './schema-drift.js';
import { seed } from './seed.js';
import { createTenant, setTenantStatus } from './tenants.js';
import { USAGE } from './usage.js';

const OPTIONS = {
  seed: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  generate: { type: 'boolean', default: false },
  restored: { type: 'boolean', default: false },
  'reseal-secrets': { type: 'boolean', default: false },
  'create-tenant': { type: 'string' },
  'activate-tenant': { type: 'string' },
  'deactivate-tenant': { type: 'string' },
  'create-api-key': { type: 'string' },
  'list-api-keys': { type: 'boolean', default: false },
  'rotate-api-key': { type: 'string' },
  'revoke-api-key': { type: 'string' },
  tenant: { type: 'string' },
  scopes: { type: 'string', default: DEFAULT_SCOPES.join(',') },
  'expires-at': { type: 'string' },
  'overlap-hours': { type: 'string', default: '24' },
  force: { type: 'boolean', default: false },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  const config = parseEnv(process.env);
  // Migrations take a session lock, which a pooled connection does not support.
  const { directUrl: url, isPooled } = config.database;
  for (const each of config.misspelt) console.error(`warning: ${describeMisspeltVariable(each)}`);

  if (values.check || values.generate) {
    reportDrift(await schemaDrift(url), values.check);
    return;
  }
  if (await changeKeys(url, values)) return;
  const scopes = parseScopes(values.scopes);
  const expiresAt = values['expires-at'] === undefined ? null : parseExpiry(values['expires-at']);
  const { tenant: tenantId = 'default' } = values;

  await assertSessions(url, isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
  const applied = await migrate(url);
  console.log(applied.length === 0 ? 'database is up to date' : `applied ${applied.join(', ')}`);
  if (values.restored)
    console.log(`unsettled executions marked as restored: ${await markRestoredExecutions(url)}`);
  if (values.seed) {
    const kept = await seed(url, tenantId, config.defaultModel, config.models.aliases);
    for (const what of kept) console.log(`left as it was changed by hand: ${what}`);
  }
  if (values['reseal-secrets']) {
    if (config.encryptionKey === null)
      throw new AppError({
        code: 'INVALID_CONFIGURATION',
        kind: 'invalid_input',
        message: 'ENCRYPTION_KEY is not set',
      });
    console.log(`secrets encrypted again: ${await resealSecrets(url, config.encryptionKey)}`);
  }
  if (values['create-tenant'] !== undefined) await createTenant(url, values['create-tenant']);
  if (values['activate-tenant'] !== undefined)
    await setTenantStatus(url, values['activate-tenant'], 'active');
  if (values['deactivate-tenant'] !== undefined)
    await setTenantStatus(url, values['deactivate-tenant'], 'inactive');
  if (values['create-api-key'] !== undefined) {
    console.log(await createApiKey(url, { tenantId, name: values['create-api-key'], scopes, expiresAt }));
  }
}

/**
 * Lists, rotates or revokes keys on request, and answers whether it did. It never migrates, since revoking a leaked key must
 * not start an upgrade.
 */
async function changeKeys(url: string, values: Options): Promise<boolean> {
  const { 'rotate-api-key': rotated, 'revoke-api-key': revoked } = values;
  if (values['list-api-keys']) {
    for (const key of await listApiKeys(url, values.tenant)) console.log(describeApiKey(key));
  } else if (rotated !== undefined) {
    console.log(await rotateApiKey(url, parseKeyId(rotated), parseOverlap(values['overlap-hours'])));
  } else if (revoked !== undefined) {
    const id = parseKeyId(revoked);
    await revokeApiKey(url, id, values.force);
    console.log(`revoked ${id}`);
  } else {
    return false;
  }
  return true;
}

function reportDrift(statements: readonly string[], isCheck: boolean): void {
  if (statements.length === 0) return console.log('migrations and entities agree');
  console.log(statements.map((statement) => `${statement};`).join('\n'));
  if (!isCheck) return;
  console.error('migrations and entities disagree: the statements above are missing from the migrations');
  process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  const isUsage =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (isUsage) console.error(`${error.message}\n${USAGE}`);
  else if (error instanceof AppError && error.code !== 'DATABASE_UNAVAILABLE') console.error(error.message);
  else console.error(describeStartFailure(error));
  process.exitCode = 1;
}
