import type { AppConfig } from '#libs/config';
import { ModelCatalogue, modelProviders } from '#libs/model-providers';
import { createDataSource, seedAgents } from '#libs/persistence';
import { wholeDatabase } from './database.js';
import { domains } from './domains.js';

/**
 * Writes the example data and agents of every domain for one tenant, with the model configurations they name. Repeatable:
 * rows changed since the last run stay as they are. Returns descriptions of these rows.
 */
export async function seed(
  url: string,
  tenantId: string,
  model: AppConfig['defaultModel'],
  aliases: AppConfig['models']['aliases'] = {},
): Promise<readonly string[]> {
  const catalogue = new ModelCatalogue(modelProviders, aliases);
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    return await dataSource.transaction(async (manager) => {
      domains.checkAgents({ manager });
      await domains.seed({ manager, tenantId });
      return seedAgents(manager, tenantId, model, domains.agents, (name) =>
        catalogue.find(name, model.provider),
      );
    });
  } finally {
    await dataSource.destroy();
  }
}
