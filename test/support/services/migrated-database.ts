import { migrate } from '../../../apps/migrate/src/migrate.js';
import { seed } from '../../../apps/migrate/src/seed.js';
import { createMigratedDatabase, type TestDatabase } from './test-database.js';

/** The model of the seeded agents; tests run the simulator or a fake under this name. */
const SEEDED_MODEL = 'sim-order-clerk';

/** A database after `migrate --seed`: all tables, the order-entry example, and the agent `salesAgent` with id 1. */
export function createSeededDatabase(): Promise<TestDatabase> {
  return createMigratedDatabase(async (url) => {
    await migrate(url);
    await seed(url, 'default', { provider: 'openai', model: SEEDED_MODEL });
  }, 'seeded');
}
