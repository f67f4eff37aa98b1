import { AppError } from '#libs/kernel';

/** Tools that an execution needs cannot be fetched at the moment: it waits for them, as long as it has time. */
export class ToolsAwayError extends AppError {
  /** @param serverName of the tool server that is away; null where it is not known which */
  constructor(
    readonly serverName: string | null,
    message: string,
    cause: unknown,
  ) {
    super({ code: 'TOOLS_UNAVAILABLE', kind: 'unavailable', message, retryable: true, cause });
  }
}
