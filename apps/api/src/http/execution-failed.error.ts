import { AppError, type AppErrorOptions } from '#libs/kernel';

/** The failure of an execution that a client has waited for; its answer names the execution. */
export class ExecutionFailedError extends AppError {
  constructor(
    readonly executionId: string,
    options: AppErrorOptions,
  ) {
    super(options);
  }
}
