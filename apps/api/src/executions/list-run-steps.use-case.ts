import { Injectable } from '@nestjs/common';
import { ExecutionStore, type RunStepView } from '#libs/persistence';
import { FindExecution } from './find-execution.use-case.js';

/** The audit rows of one execution (S2-31). Throws `NOT_FOUND`. */
@Injectable()
export class ListRunSteps {
  constructor(
    private readonly findExecution: FindExecution,
    private readonly executions: ExecutionStore,
  ) {}

  async execute(tenantId: string, executionId: string): Promise<RunStepView[]> {
    const { id } = await this.findExecution.execute(tenantId, executionId);
    return this.executions.listRunSteps(tenantId, id);
  }
}
