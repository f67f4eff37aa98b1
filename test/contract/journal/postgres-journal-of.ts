import { parkExecution, PostgresJournal, settleExecution, type Claim } from '#libs/persistence';
import type { PersistenceWorld } from '../../integration/persistence/persistence-world.js';

export function postgresJournalOf(world: PersistenceWorld, claim: Claim): PostgresJournal {
  return new PostgresJournal(world.dataSource, claim, {
    settle: async (manager, settlement) => {
      await settleExecution(manager, claim, settlement, () => Promise.resolve());
    },
    park: async (manager, calls) => {
      await parkExecution(manager, claim, calls, 60_000);
    },
  });
}
