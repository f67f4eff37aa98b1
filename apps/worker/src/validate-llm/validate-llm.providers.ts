import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import { modelProviders } from '#libs/model-providers';
import { LlmStore } from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { DataSource } from 'typeorm';
import { ModelConnections } from '../execute/model-connections.js';
import { patienceOf } from '../health/progress-watch.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { ValidateLlm } from './validate-llm.js';
import { ValidationProgress } from './validate-llm.processor.js';

/** Model configurations that one worker process tries at once. */
export const VALIDATION_CONCURRENCY = 10;

export const validateLlmProviders: Provider[] = [
  {
    provide: ValidationProgress,
    inject: [WORKER_CONFIG],
    // No row says that one is due: whoever waits for it asks again.
    useFactory: (config: AppConfig) =>
      new ValidationProgress(
        () => Promise.resolve(false),
        VALIDATION_CONCURRENCY,
        patienceOf(config),
        systemClock,
      ),
  },
  {
    provide: ValidateLlm,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: (dataSource: DataSource, { models, encryptionKey }: AppConfig) => {
      const llms = new LlmStore(dataSource);
      const secrets = encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey));
      const connections = new ModelConnections(models, secrets, modelProviders);
      return new ValidateLlm({
        find: (tenantId, llmId) => llms.findSealed(tenantId, llmId),
        providerOf: (llm) => modelProviders.get(llm.provider),
        // One try: whoever asks sees at once how it failed.
        connectionOf: (llm) => connections.of(llm).connection,
      });
    },
  },
];
