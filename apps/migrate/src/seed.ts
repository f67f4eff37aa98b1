import type { AppConfig } from '#libs/config';
import { createDataSource, seedAgents } from '#libs/persistence';
import { wholeDatabase } from './database.js';
import { domains } from './domains.js';

/**
 * The example data and the agents of every domain, for one tenant. Can be repeated: what somebody has changed since
 * stays as it is. Answers what was left alone so.
 */
export async function seed(
  url: string,
  tenantId: string,
  model: AppConfig['defaultModel'],
): Promise<readonly string[]> {
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    return await dataSource.transaction(async (manager) => {
      domains.checkAgents({ manager });
      await domains.seed({ manager, tenantId });
      return seedAgents(manager, tenantId, model, domains.agents);
    });
  } finally {
    await dataSource.destroy();
  }
}
