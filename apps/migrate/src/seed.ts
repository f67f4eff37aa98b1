import type { AppConfig } from '#libs/config';
import { createDataSource, seedAgents } from '#libs/persistence';
import { wholeDatabase } from './database.js';
import { domains } from './domains.js';

/** The example data and the agents of every domain, for one tenant. Can be repeated. */
export async function seed(url: string, tenantId: string, model: AppConfig['defaultModel']): Promise<void> {
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    await dataSource.transaction(async (manager) => {
      domains.checkAgents({ manager });
      await domains.seed({ manager, tenantId });
      await seedAgents(manager, tenantId, model, domains.agents);
    });
  } finally {
    await dataSource.destroy();
  }
}
