import { Worker, type Processor } from 'bullmq';
import { pino } from 'pino';
import { modelProviders } from '#libs/model-providers';
import { parseEnv } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { systemClock, systemTimers } from '#libs/kernel';
import { parseJob } from '#libs/payloads';
import { Embedder, type Embeddings } from '#libs/knowledge';
import {
  ConnectionGrantStore,
  DocumentSearchStore,
  ExactChunkIndex,
  LlmStore,
  QuestionAccounts,
  ToolListingStore,
  ToolServerOAuthStore,
  ToolServerStore,
  ToolTrialStore,
  watchedConnections,
  WorkerPresence,
} from '#libs/persistence';
import { createQueuePool } from '#libs/queue';
import { SecretBox } from '#libs/secrets';
import { ServerCalls } from '#libs/tool-sources';
import { TOOL_SERVER_TYPES, type ToolServerType } from '#libs/tooling';
import type { DataSource } from 'typeorm';
import { createConnectServer } from '../../../apps/worker/src/connections/connect-server.job.js';
import { ModelConnections } from '../../../apps/worker/src/models/model-connections.js';
import { AccountedRetrieval } from '../../../apps/worker/src/retrieve/accounted-retrieval.js';
import { SearchDocuments } from '../../../apps/worker/src/retrieve/search-documents.js';
import { createTryTool } from '../../../apps/worker/src/tool-servers/try-tool.job.js';
import { ValidateLlm } from '../../../apps/worker/src/validate-llm/validate-llm.js';
import { aServerTool } from '../../support/builders/tool-server.js';
import { ScriptedDriver } from '../../support/fakes/scripted-driver.js';

/** Names of the tools of every tool server; a scripted driver offers them without a connection. */
export const SERVER_TOOLS = ['find', 'burst'] as const;
const [ANSWERS, THROWS] = SERVER_TOOLS;

/** Embeds every text as the same vector. */
class OneDirection extends Embedder {
  override readonly mostTexts = 1;
  override embed(texts: readonly string[], dimensions: number): Promise<Embeddings> {
    const vectors = texts.map(() => Float32Array.from({ length: dimensions }, (_none, at) => (at ? 0 : 1)));
    return Promise.resolve({ vectors, inputTokens: texts.length, model: 'an-embedder' });
  }
}

/**
 * A worker for trials of model configurations and tools, searches and connections. It runs no execution, because the tests
 * create the states of executions. It must start after the API, which chooses the queue backend of this process.
 */
export async function startTryingWorker(
  databaseUrl: string,
  dataSource: DataSource,
  encryptionKey: string,
): Promise<{ close: () => Promise<void> }> {
  const { models } = parseEnv({ DATABASE_URL: databaseUrl, MODEL_ALLOW_PRIVATE_HOSTS: 'true' });
  const llms = new LlmStore(dataSource);
  const box = SecretBox.of(encryptionKey);
  const servers = new ToolServerStore(dataSource);
  const connections = new ModelConnections({ models }, box, modelProviders);
  const validateLlm = new ValidateLlm({
    find: (tenantId, llmId) => llms.findSealed(tenantId, llmId),
    providerOf: (llm) => modelProviders.get(llm.provider),
    connectionOf: (llm) => connections.of(llm).connection,
  });
  const pool = createQueuePool(databaseUrl, watchedConnections({}));
  const tryTool = createTryTool(
    new ToolTrialStore(dataSource),
    servers,
    new ToolListingStore(dataSource),
    box,
    scriptedDrivers(),
    new ServerCalls({ now: () => systemClock.monotonic(), timers: systemTimers }),
    { to: () => null },
    pino({ level: 'silent' }),
  );
  const client = new GuardedClient({ allowLoopback: false, privateHosts: [] });
  const connectServer = createConnectServer(
    new ConnectionGrantStore(dataSource),
    servers,
    new ToolServerOAuthStore(dataSource),
    box,
    { client },
    pino({ level: 'silent' }),
  );
  const searchDocuments = new SearchDocuments({
    searches: new DocumentSearchStore(dataSource),
    retrieval: new AccountedRetrieval({
      index: new ExactChunkIndex(dataSource, { cacheBytes: 0 }),
      serviceOf: () => Promise.resolve({ embedder: new OneDirection(), costOf: () => null }),
      accountsOf: (asking) => new QuestionAccounts(dataSource, asking),
    }),
  });
  const startWorker = (queue: string, work: Processor): Worker => {
    const worker = new Worker(queue, work, { connection: pool, concurrency: 10 });
    worker.on('error', () => undefined);
    return worker;
  };
  const workers = [
    startWorker('validate-llm', async ({ data }) => {
      const { tenantId, llmId } = parseJob('validate-llm', data);
      return validateLlm.execute(tenantId, llmId);
    }),
    startWorker('try-tool', async ({ data }) => {
      const { tenantId, trialId } = parseJob('try-tool', data);
      await tryTool.execute(tenantId, trialId);
      return true;
    }),
    startWorker('search-documents', async ({ data }) => {
      const { tenantId, searchId } = parseJob('search-documents', data);
      await searchDocuments.execute(tenantId, searchId);
      return true;
    }),
    startWorker('connect-server', async ({ data }) => {
      const { tenantId, connectionId, attemptId, step } = parseJob('connect-server', data);
      await connectServer.execute(tenantId, connectionId, attemptId, step);
      return true;
    }),
  ];
  const presence = new WorkerPresence({
    databaseUrl,
    processName: 'trying',
    places: 1,
    answerWithinMs: 10_000,
    onError: () => undefined,
  });
  await Promise.all([presence.start(), ...workers.map((worker) => worker.waitUntilReady())]);
  return {
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      await presence.stop();
      await client.close();
      await pool.end();
    },
  };
}

function scriptedDrivers(): Partial<Record<ToolServerType, ScriptedDriver>> {
  const driver = new ScriptedDriver(() => ({
    tools: [
      aServerTool(ANSWERS),
      aServerTool(THROWS, { run: () => Promise.reject(new Error('it throws whatever it is asked')) }),
    ],
  }));
  return Object.fromEntries(TOOL_SERVER_TYPES.map((type) => [type, driver]));
}
