import { ProviderRegistry } from '#libs/model-providers';
import { LlmStore } from '#libs/persistence';
import { defineJob } from '../jobs/define-job.js';
import { ModelConnections } from '../models/model-connections.js';
import { ModelsModule } from '../models/models.module.js';
import { ValidateLlm } from './validate-llm.js';

/** Tests a model configuration with one call. The API waits for the answer, which is not stored. */
export const validateLlmJob = defineJob({
  queue: 'validate-llm',
  concurrency: 10,
  imports: [ModelsModule],
  inject: [LlmStore, ModelConnections, ProviderRegistry],
  make: (llms: LlmStore, connections: ModelConnections, providers: ProviderRegistry) => {
    const validateLlm = new ValidateLlm({
      find: (tenantId, llmId) => llms.findSealed(tenantId, llmId),
      providerOf: (llm) => providers.get(llm.provider),
      // One try, so that the caller gets the failure at once.
      connectionOf: (llm) => connections.of(llm).connection,
    });
    return ({ tenantId, llmId }) => validateLlm.execute(tenantId, llmId);
  },
});
