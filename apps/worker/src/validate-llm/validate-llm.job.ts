import type { AppConfig } from '#libs/config';
import { modelProviders } from '#libs/model-providers';
import { LlmStore } from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { DataSource } from 'typeorm';
import { ModelConnections } from '../execute/model-connections.js';
import { defineJob } from '../jobs/define-job.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { ValidateLlm } from './validate-llm.js';

/** Asks the model of a configuration once. The API waits for the answer, which is stored nowhere. */
export const validateLlmJob = defineJob({
  queue: 'validate-llm',
  concurrency: 10,
  inject: [DataSource, WORKER_CONFIG],
  make: (dataSource: DataSource, { models, encryptionKey }: AppConfig) => {
    const llms = new LlmStore(dataSource);
    const secrets = encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey));
    const connections = new ModelConnections(models, secrets, modelProviders);
    const validateLlm = new ValidateLlm({
      find: (tenantId, llmId) => llms.findSealed(tenantId, llmId),
      providerOf: (llm) => modelProviders.get(llm.provider),
      // One try, so that the caller sees at once how it failed.
      connectionOf: (llm) => connections.of(llm).connection,
    });
    return ({ tenantId, llmId }) => validateLlm.execute(tenantId, llmId);
  },
});
