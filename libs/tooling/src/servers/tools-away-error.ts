import { AppError } from '#libs/kernel';

/** Required tools are temporarily unavailable: the execution waits for them within its time limit. */
export class ToolsAwayError extends AppError {
  /** @param serverName name of the unavailable tool server; null if unknown */
  constructor(
    readonly serverName: string | null,
    message: string,
    cause: unknown,
  ) {
    super({ code: 'TOOLS_UNAVAILABLE', kind: 'unavailable', message, retryable: true, cause });
  }
}
