import type { Logger } from './logger.js';

/** Writes Nest's own messages to the service's log; informational ones at level debug. */
export class NestLogger {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stackOrContext?: string, context?: string): void {
    this.logger.error(
      { context: context ?? stackOrContext, err: message instanceof Error ? message : undefined },
      String(message),
    );
  }
}
