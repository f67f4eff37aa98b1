import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/kernel';
import { isSettled, type ExecutionView } from '#libs/payloads';
import { ExecutionStore } from '#libs/persistence';
import { executionNotFound } from '../executions/execution.faults.js';
import { SubmitExecution } from '../executions/submit-execution.use-case.js';

/** Submits the request of a settled execution again, as the next turn of its conversation. The old one stays as it is. */
@Injectable()
export class RetryExecution {
  constructor(
    private readonly executions: ExecutionStore,
    private readonly submitExecution: SubmitExecution,
  ) {}

  /** Throws `NOT_FOUND`, and `NOT_SETTLED` while the execution has not ended. */
  async execute(tenantId: string, executionId: string): Promise<ExecutionView> {
    const past = await this.executions.findRequest(tenantId, executionId);
    if (past === null) throw executionNotFound();
    if (!isSettled(past.status)) throw notSettled();
    const { agentId, sessionId, request, metadata, webhook } = past;
    return this.submitExecution.execute({
      tenantId,
      agentId,
      request: { ...request, session_uuid: sessionId, metadata, ...(webhook === null ? {} : { webhook }) },
      idempotency: null,
    });
  }
}

function notSettled(): AppError {
  return new AppError({
    code: 'NOT_SETTLED',
    kind: 'conflict',
    message: 'The execution has not ended; wait for it, or cancel it first',
  });
}
