import type { ContendedExecution } from '../../support/fakes/executions/contended-execution.js';
import { InMemoryCancellations } from '../../support/fakes/executions/in-memory-cancellations.js';
import { InMemoryClaims } from '../../support/fakes/executions/in-memory-claims.js';
import { InMemoryDecisions } from '../../support/fakes/executions/in-memory-decisions.js';
import { InMemoryDispatches } from '../../support/fakes/executions/in-memory-dispatches.js';
import { InMemoryExecutions } from '../../support/fakes/executions/in-memory-executions.js';
import { InMemoryAcceptances } from '../../support/fakes/executions/in-memory-acceptances.js';
import { InMemoryReader } from '../../support/fakes/executions/in-memory-reader.js';
import { InMemoryJournal } from '../../support/fakes/in-memory-journal.js';
import type { ExecutionsBackend } from './executions-backend.js';

export function executionsInMemory(): ExecutionsBackend {
  const store = new InMemoryExecutions();
  const find = (executionId: string): ContendedExecution => {
    const execution = store.find(executionId);
    if (!execution) throw new Error('there is no such execution');
    return execution;
  };
  const sync =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args): Promise<void> => {
      act(...args);
      return Promise.resolve();
    };
  return {
    acceptances: new InMemoryAcceptances(store),
    acceptancesWithin: (options) => new InMemoryAcceptances(store, options),
    executions: new InMemoryReader(store),
    cancellations: new InMemoryCancellations(store),
    decisions: new InMemoryDecisions(store),
    dispatches: new InMemoryDispatches(store),
    claims: new InMemoryClaims(store),
    journalOf: (claim) => new InMemoryJournal(find(claim.executionId), claim),
    facts: (executionId) => Promise.resolve(find(executionId).facts.map(({ entry }) => entry)),
    endLease: sync((executionId: string) => {
      find(executionId).isLeaseOver = true;
    }),
    endDelay: sync((executionId: string) => {
      find(executionId).isDue = true;
    }),
    archive: sync((sessionId: string) => {
      const session = store.sessions.get(sessionId);
      if (session) session.isActive = false;
    }),
  };
}
