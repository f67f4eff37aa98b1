// Durable workflows in the process that accepts them, as DBOS is fastest: its queue is polled, by default once a second. A
// start of the same executor goes on with what its death has left.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { runAgentLoop } from './agent-loop.mjs';
import { serveRuns } from './serve-runs.mjs';

const workflow = DBOS.registerWorkflow(
  (/** @type {string} */ input) => runAgentLoop(input, (name, work) => DBOS.runStep(work, { name })),
  { name: 'agent' },
);
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: process.env.DATABASE_URL, runAdminServer: false });
await DBOS.launch();

/** Handles of runs that are awaited. @type {Map<string, {getResult: () => Promise<unknown>}>} */
const running = new Map();
serveRuns({
  begin: async (id, input) =>
    void running.set(id, await DBOS.startWorkflow(workflow, { workflowID: id })(input)),
  untilEnded: (id) => {
    const handle = running.get(id) ?? DBOS.retrieveWorkflow(id);
    running.delete(id);
    return handle.getResult();
  },
});
