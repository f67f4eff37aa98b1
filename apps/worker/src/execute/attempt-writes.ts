import { Inject, Injectable, Optional } from '@nestjs/common';
import { titleFromInput } from '#libs/agent-core';
import type { AppConfig } from '#libs/config';
import { ExecutionEndings, ExecutionWrites } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { domains } from '../domains.js';
import { JobDispatchers } from '../jobs/job-dispatchers.js';
import { InlineDeliverer } from '../webhooks/inline-deliverer.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { EndedExecutionTrigger } from './execution-dispatchers.js';

/**
 * Writes the ends of executions in this process. Isolated attempts and workers without webhooks leave webhooks to other
 * workers; isolated attempts also have no queue.
 */
@Injectable()
export class AttemptEndings extends ExecutionEndings {
  constructor(
    @Inject(WORKER_CONFIG) { execution, titles }: AppConfig,
    @Optional() inlineDeliveries?: InlineDeliverer,
    @Optional() ended?: EndedExecutionTrigger,
    @Optional() jobs?: JobDispatchers,
  ) {
    super(
      (manager, change, claim) => domains.applyStagedChange(manager, change, claim),
      execution.approvalTimeoutMs,
      inlineDeliveries,
      ({ request }) => (titles === 'input' ? titleFromInput(request.input) : null),
      () => ended?.trigger(),
      () => jobs?.trigger('extract-memories'),
    );
  }
}

/** Writes of all attempts in this process. */
@Injectable()
export class AttemptWrites extends ExecutionWrites {
  constructor(dataSource: DataSource, @Inject(ExecutionEndings) endings: ExecutionEndings) {
    super(dataSource, endings);
  }
}
