import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { parseJob, type LlmValidation } from '#libs/payloads';
import { ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { ValidateLlm } from './validate-llm.js';

/** Of the model configurations that this process tries. */
export class ValidationProgress extends ProgressWatch {}

/** The one job whose answer the API waits for; it is gone with the job. */
@Processor('validate-llm', QUEUE_WORKER_OPTIONS)
export class ValidateLlmProcessor extends WorkerHost {
  constructor(
    private readonly validateLlm: ValidateLlm,
    readonly progress: ValidationProgress,
  ) {
    super();
  }

  override async process(job: Job): Promise<LlmValidation | null> {
    const { tenantId, llmId } = parseJob('validate-llm', job.data);
    const end = this.progress.begin();
    try {
      return await this.validateLlm.execute(tenantId, llmId);
    } finally {
      end();
    }
  }
}
