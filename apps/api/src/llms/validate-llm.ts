import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { llmValidationSchema, validateLlmJob, type LlmValidation } from '#libs/payloads';
import { isAnyWorkerPresent, LlmStore } from '#libs/persistence';
import { JobCaller } from '#libs/queue';
import { DataSource } from 'typeorm';
import { llmNotFound, notValidated, noWorker } from './llms.faults.js';

/** A worker gives the provider half a minute. */
const LIMITS = { takenWithinMs: 10_000, answeredWithinMs: 35_000 };

/** Has a worker try a model configuration for real: that is where the operator's keys and the way to the provider are. */
@Injectable()
export class ValidateLlm {
  constructor(
    private readonly llms: LlmStore,
    private readonly workers: JobCaller,
    private readonly dataSource: DataSource,
  ) {}

  /** Throws `NOT_FOUND`, and `NO_WORKER` where none takes it up. */
  async execute(tenantId: string, id: number): Promise<LlmValidation> {
    if ((await this.llms.find(tenantId, id)) === null) throw llmNotFound();
    // Known at once where nobody is there, and not after the time that a busy one may take.
    if (!(await isAnyWorkerPresent(this.dataSource))) throw noWorker();
    const answer = await this.workers.call(
      'validate-llm',
      validateLlmJob(tenantId, id, randomUUID()),
      LIMITS,
    );
    if (answer.kind === 'not_taken') throw noWorker();
    if (answer.kind === 'unanswered') throw notValidated();
    // Removed while it was on its way.
    if (answer.value === null) throw llmNotFound();
    return llmValidationSchema.parse(answer.value);
  }
}
