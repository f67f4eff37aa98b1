import { Injectable } from '@nestjs/common';
import { callName } from '#libs/agent-core';
import { ExecutionStore, type RunStepView } from '#libs/persistence';
import { toPage, type Page } from '../http/page.js';
import type { RunStepListQuery } from './execution.dto.js';
import { FindExecution } from './find-execution.use-case.js';

/** As many calls as an execution can have. */
const MAX_STEPS = 2_000;

/** The audit rows of one execution (S2-31). Throws `NOT_FOUND`. */
@Injectable()
export class ListRunSteps {
  constructor(
    private readonly findExecution: FindExecution,
    private readonly executions: ExecutionStore,
  ) {}

  async execute(
    tenantId: string,
    executionId: string,
    { limit = MAX_STEPS, cursor: after }: RunStepListQuery,
  ): Promise<Page<RunStepView>> {
    const { id } = await this.findExecution.execute(tenantId, executionId);
    const steps = await this.executions.listRunSteps(tenantId, id, { limit, after });
    return toPage(steps, (step) => callName(step.scope, step));
  }
}
