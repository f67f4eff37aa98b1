import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { llmValidationSchema, validateLlmJob, type LlmValidation } from '#libs/payloads';
import { isAnyWorkerPresent, LlmStore } from '#libs/persistence';
import { JobCaller } from '#libs/queue';
import { DataSource } from 'typeorm';
import { llmNotFound, notValidated, noWorker } from './llms.errors.js';

/** A worker limits the trial call to 30 s. */
const LIMITS = { takenWithinMs: 10_000, answeredWithinMs: 35_000 };

/** Has a worker try a model configuration, since only workers have the operator's keys and access to providers. */
@Injectable()
export class ValidateLlm {
  constructor(
    private readonly llms: LlmStore,
    private readonly workers: JobCaller,
    private readonly dataSource: DataSource,
  ) {}

  /** Throws `NOT_FOUND`, `NO_WORKER` if no worker takes the job, and `NOT_VALIDATED` if none answers. */
  async execute(tenantId: string, id: number): Promise<LlmValidation> {
    if ((await this.llms.find(tenantId, id)) === null) throw llmNotFound();
    // Without any worker the client gets the error at once, not after the time that a busy worker may take.
    if (!(await isAnyWorkerPresent(this.dataSource))) throw noWorker();
    const answer = await this.workers.call(
      'validate-llm',
      validateLlmJob(tenantId, id, randomUUID()),
      LIMITS,
    );
    if (answer.kind === 'not_taken') throw noWorker();
    if (answer.kind === 'unanswered') throw notValidated();
    // The configuration was deleted before the worker read it.
    if (answer.value === null) throw llmNotFound();
    return llmValidationSchema.parse(answer.value);
  }
}
