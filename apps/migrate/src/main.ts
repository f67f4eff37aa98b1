import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { parseEnv } from '#libs/config';
import { AppError } from '#libs/kernel';
import { parseScopes } from '#libs/persistence';
import { createApiKey } from './create-api-key.js';
import { migrate } from './migrate.js';
import { resealSecrets } from './reseal-secrets.js';
import { schemaDrift } from './schema-drift.js';
import { seed } from './seed.js';
import { createTenant, setTenantStatus } from './tenants.js';

const USAGE = `usage: migrate [--seed] [--check | --generate | --reseal-secrets | --create-api-key NAME | --create-tenant ID | …]
  (nothing)              bring the database up to date
  --seed                 also make the example data and the agents of the domains; what was changed since stays
  --check                fail when migrations and entities disagree
  --generate             print the statements that a new migration would need
  --reseal-secrets       seal every stored secret anew with the first key of ENCRYPTION_KEY
  --create-api-key NAME  make an API key [--tenant ID] [--scopes a,b]; a tenant that is not there yet is made
  --create-tenant ID     make a tenant, unless it is there
  --deactivate-tenant ID a tenant runs nothing any more
  --activate-tenant ID   a tenant runs again`;

/**
 * Not `approvals:decide`: a program that runs agents should not decide over their tool calls by the same key. Nor
 * `admin`.
 */
const DEFAULT_SCOPES =
  'executions:write,executions:read,agents:write,agents:read,webhooks:write,audit:read,sessions:write';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      generate: { type: 'boolean', default: false },
      'reseal-secrets': { type: 'boolean', default: false },
      'create-tenant': { type: 'string' },
      'activate-tenant': { type: 'string' },
      'deactivate-tenant': { type: 'string' },
      'create-api-key': { type: 'string' },
      tenant: { type: 'string', default: 'default' },
      scopes: { type: 'string', default: DEFAULT_SCOPES },
    },
  });
  const config = parseEnv(process.env);
  const { url } = config.database;
  const scopes = parseScopes(values.scopes);

  if (values.check || values.generate) {
    reportDrift(await schemaDrift(url), values.check);
    return;
  }
  const applied = await migrate(url);
  console.log(applied.length === 0 ? 'database is up to date' : `applied ${applied.join(', ')}`);
  if (values.seed) {
    const kept = await seed(url, values.tenant, config.defaultModel);
    for (const what of kept) console.log(`left as somebody has changed it: ${what}`);
  }
  if (values['reseal-secrets']) {
    if (config.encryptionKey === null)
      throw new AppError({
        code: 'INVALID_CONFIGURATION',
        kind: 'invalid_input',
        message: 'ENCRYPTION_KEY is not set',
      });
    console.log(`secrets sealed anew: ${await resealSecrets(url, config.encryptionKey)}`);
  }
  if (values['create-tenant'] !== undefined) await createTenant(url, values['create-tenant']);
  if (values['activate-tenant'] !== undefined)
    await setTenantStatus(url, values['activate-tenant'], 'active');
  if (values['deactivate-tenant'] !== undefined)
    await setTenantStatus(url, values['deactivate-tenant'], 'inactive');
  if (values['create-api-key'] !== undefined) {
    console.log(await createApiKey(url, { tenantId: values.tenant, name: values['create-api-key'], scopes }));
  }
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
  if (!(error instanceof AppError) && !isUsage) throw error;
  console.error(isUsage ? `${error.message}\n${USAGE}` : error.message);
  process.exitCode = 1;
}
