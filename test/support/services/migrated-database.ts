import { migrate } from '../../../apps/migrate/src/migrate.js';
import { seed } from '../../../apps/migrate/src/seed.js';
import { createMigratedDatabase, type TestDatabase } from './test-database.js';

/** The model that the seeded agents ask; tests run the simulator or a fake under this name. */
const SEEDED_MODEL = 'sim-order-clerk';

/** A database as `migrate --seed` leaves it: every table, the order-entry example, the agent `salesAgent` with id 1. */
export function createSeededDatabase(): Promise<TestDatabase> {
  return createMigratedDatabase(async (url) => {
    await migrate(url);
    await seed(url, 'default', { provider: 'openai', model: SEEDED_MODEL });
  }, 'seeded');
}
