import type { AppConfig } from '#libs/config';
import { salesAgent, seedOrderEntry } from '#libs/order-entry';
import { createDataSource, seedAgents } from '#libs/persistence';
import { wholeDatabase } from './database.js';

/** The worked example: a catalogue, customers, and the agent that takes orders. Can be repeated. */
export async function seed(url: string, tenantId: string, model: AppConfig['defaultModel']): Promise<void> {
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    await dataSource.transaction(async (manager) => {
      await seedOrderEntry(manager, tenantId);
      await seedAgents(manager, tenantId, model, [salesAgent]);
    });
  } finally {
    await dataSource.destroy();
  }
}
