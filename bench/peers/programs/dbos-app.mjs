import { DBOS } from '@dbos-inc/dbos-sdk';
import { runAgentLoop } from './agent-loop.mjs';
import { serveRuns } from './serve-runs.mjs';

const workflow = DBOS.registerWorkflow(
  (/** @type {string} */ input) => runAgentLoop(input, (name, work) => DBOS.runStep(work, { name })),
  { name: 'agent' },
);
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: process.env.DATABASE_URL, runAdminServer: false });
await DBOS.launch();
await DBOS.registerQueue('runs', { workerConcurrency: Number(process.env.CONCURRENCY) });

serveRuns({
  begin: (id, input) => DBOS.startWorkflow(workflow, { queueName: 'runs', workflowID: id })(input),
  untilEnded: (id) => DBOS.retrieveWorkflow(id).getResult(),
});
