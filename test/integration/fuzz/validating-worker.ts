import { Worker } from 'bullmq';
import { modelProviders } from '#libs/model-providers';
import { parseEnv } from '#libs/config';
import { parseJob } from '#libs/payloads';
import { LlmStore, watchedConnections, WorkerPresence } from '#libs/persistence';
import { createQueuePool } from '#libs/queue';
import { parseKeyring, SecretBox } from '#libs/secrets';
import type { DataSource } from 'typeorm';
import { ModelConnections } from '../../../apps/worker/src/execute/model-connections.js';
import { ValidateLlm } from '../../../apps/worker/src/validate-llm/validate-llm.js';

/**
 * As much of a worker as tries model configurations, and runs no execution: their states are the world's to make. Starts
 * after an API, which has chosen the backend of this process.
 */
export async function startValidatingWorker(
  databaseUrl: string,
  dataSource: DataSource,
  encryptionKey: string,
): Promise<{ close: () => Promise<void> }> {
  const { models } = parseEnv({ DATABASE_URL: databaseUrl, MODEL_ALLOW_PRIVATE_HOSTS: 'true' });
  const llms = new LlmStore(dataSource);
  const connections = new ModelConnections(
    models,
    new SecretBox(parseKeyring(encryptionKey)),
    modelProviders,
  );
  const validateLlm = new ValidateLlm({
    find: (tenantId, llmId) => llms.findSealed(tenantId, llmId),
    providerOf: (llm) => modelProviders.get(llm.provider),
    connectionOf: (llm) => connections.of(llm).connection,
  });
  const pool = createQueuePool(databaseUrl, watchedConnections({}));
  const worker = new Worker(
    'validate-llm',
    async ({ data }) => {
      const { tenantId, llmId } = parseJob('validate-llm', data);
      return validateLlm.execute(tenantId, llmId);
    },
    { connection: pool, concurrency: 10 },
  );
  worker.on('error', () => undefined);
  const presence = new WorkerPresence({
    databaseUrl,
    processName: 'validating',
    places: 1,
    answerWithinMs: 10_000,
    onError: () => undefined,
  });
  await Promise.all([presence.start(), worker.waitUntilReady()]);
  return {
    close: async () => {
      await worker.close();
      await presence.stop();
      await pool.end();
    },
  };
}
