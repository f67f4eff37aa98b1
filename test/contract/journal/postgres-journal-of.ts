import type { Claim } from '#libs/executions';
import { ExecutionEndings, ExecutionWrites, PostgresJournal } from '#libs/persistence';
import { systemClock } from '#libs/kernel';
import type { PersistenceWorld } from '../../integration/persistence/persistence-world.js';

const APPROVAL_TIMEOUT_MS = 60_000;

/** PostgreSQL journal of a claim, for domains without staged changes. */
export function postgresJournalOf({ dataSource }: PersistenceWorld, claim: Claim): PostgresJournal {
  const endings = new ExecutionEndings(() => Promise.resolve(), APPROVAL_TIMEOUT_MS);
  return new PostgresJournal(new ExecutionWrites(dataSource, endings), claim, systemClock);
}
