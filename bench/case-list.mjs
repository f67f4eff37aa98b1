// @ts-check
import { endToEnd } from './cases/end-to-end.mjs';
import { submitLatency } from './cases/submit-latency.mjs';
import { firstDelta } from './cases/first-delta.mjs';
import { slowModel } from './cases/slow-model.mjs';
import { vectorIndex } from './cases/vector-index.mjs';
import { waitingExecutions } from './cases/waiting-executions.mjs';
import { costPerExecution } from './cases/cost-per-execution.mjs';
import { backlog } from './cases/backlog.mjs';
import { dailyTests } from './cases/daily-tests.mjs';
import { documentSearch } from './cases/document-search.mjs';
import { historyLength } from './cases/history-length.mjs';
import { hostileNeighbour } from './cases/hostile-neighbour.mjs';
import { killedWorker } from './cases/killed-worker.mjs';
import { agentJob } from './cases/agent-job.mjs';
import { listOfRuns } from './cases/list-of-runs.mjs';
import { longConversation } from './cases/long-conversation.mjs';
import { manyToolServers } from './cases/many-tool-servers.mjs';
import { manyTenants } from './cases/many-tenants.mjs';
import { manyFinished } from './cases/many-finished.mjs';
import { moreWorkers } from './cases/more-workers.mjs';
import { openConsoles } from './cases/open-consoles.mjs';
import { runPage } from './cases/run-page.mjs';
import { silentFollowers } from './cases/silent-followers.mjs';
import { sustainedLoad } from './cases/sustained-load.mjs';
import { thousandCalls } from './cases/thousand-calls.mjs';

/**
 * One thing that is measured.
 * @typedef {object} BenchCase
 * @property {string} key
 * @property {string} title
 * @property {boolean} [isOfAnyQueue] the queue has little to do with what is measured: once, on the default one, is enough
 * @property {boolean} [isOnDemand] it takes hours: only where `--only` names it
 * @property {(world: import('./services/bench-world.mjs').BenchWorld) =>
 *   Promise<import('./measure/figure.mjs').Figure[]>} run
 */

/** @type {readonly BenchCase[]} */
export const CASES = [
  endToEnd,
  submitLatency,
  firstDelta,
  waitingExecutions,
  costPerExecution,
  backlog,
  killedWorker,
  agentJob,
  thousandCalls,
  moreWorkers,
  sustainedLoad,
  manyFinished,
  silentFollowers,
  longConversation,
  historyLength,
  manyToolServers,
  documentSearch,
  vectorIndex,
  slowModel,
  dailyTests,
  hostileNeighbour,
  runPage,
  manyTenants,
  listOfRuns,
  openConsoles,
];
