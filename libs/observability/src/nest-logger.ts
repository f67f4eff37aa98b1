import type { Logger } from './logger.js';

/** What Nest itself has to say, as lines of our log; its start-up chatter is kept for debugging. */
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
