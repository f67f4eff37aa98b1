import {
  InMemoryCancellations,
  InMemoryClaims,
  InMemoryContexts,
  InMemoryDecisions,
  InMemoryDispatches,
  InMemoryExecutions,
  InMemoryIntake,
  InMemoryMemories,
  InMemoryReader,
  InMemorySummaries,
  type ContendedExecution,
} from '#libs/executions';
import { aStoredContext } from '../../support/builders/stored-context.js';
import { InMemoryJournal } from '../../support/fakes/in-memory-journal.js';
import type { ExecutionsBackend } from './executions-backend.js';

export function executionsInMemory(): ExecutionsBackend {
  const store = new InMemoryExecutions();
  const memories = new InMemoryMemories();
  const {
    preparation: _preparation,
    messages: _messages,
    summary: _summary,
    hasOlder: _hasOlder,
    hasForeignHistory: _hasForeignHistory,
    ...agent
  } = aStoredContext();
  store.agents.push({ id: 1, tenantId: 'default', ...agent });
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
  const summaries = new InMemorySummaries(store);
  return {
    summaries,
    makeSummaryDue: sync((sessionId: string) => {
      summaries.makeDue(sessionId);
    }),
    summaryUsage: (executionId) =>
      Promise.resolve(
        [...summaries.usage].flatMap(([call, { state }]) =>
          call.startsWith(executionId) ? [`${call.split('/')[1] ?? ''} ${state}`] : [],
        ),
      ),
    intake: new InMemoryIntake(store),
    intakeWithin: (options) => new InMemoryIntake(store, options),
    executions: new InMemoryReader(store),
    cancellations: new InMemoryCancellations(store),
    decisions: new InMemoryDecisions(store),
    dispatches: new InMemoryDispatches(store),
    contexts: new InMemoryContexts(store, memories),
    memories,
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
    reset: sync((sessionId: string) => {
      store.resetSession(sessionId);
    }),
    changeAgent: sync((change: Parameters<ExecutionsBackend['changeAgent']>[0]) => {
      const newest = store.findAgent(1, null);
      if (!newest) return;
      const { systemPrompt = newest.systemPrompt, isActive: agentIsActive = newest.agentIsActive } = change;
      const { config = newest.config } = change;
      const agentVersion = newest.agentVersion + 1;
      store.agents.push({ ...newest, agentVersion, systemPrompt, agentIsActive, config });
    }),
  };
}
