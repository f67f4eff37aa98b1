import { Inject, Injectable } from '@nestjs/common';
import { systemClock } from '#libs/kernel';
import { ModelHosts } from '#libs/model-providers';
import { warnRarely, type Logger } from '#libs/observability';
import { WorkerPresence, type ShownHost } from '#libs/persistence';
import { LOGGER } from '../worker.tokens.js';

/**
 * Shows the model hosts that do not answer this process in its row among the workers. One statement runs at a time; changes
 * in between are written by the next one.
 */
@Injectable()
export class HostReport {
  private isWriting = false;
  private isOutdated = false;

  constructor(
    private readonly hosts: ModelHosts,
    private readonly presence: WorkerPresence,
    @Inject(LOGGER) logger: Logger,
  ) {
    const onError = warnRarely(logger, 'model hosts not shown');
    const write = (): void => void this.write().catch(onError);
    hosts.onChange(write);
    // A row that is written anew has no hosts.
    presence.onReturn(write);
  }

  private async write(): Promise<void> {
    this.isOutdated = true;
    if (this.isWriting || !this.presence.isPresent) return;
    this.isWriting = true;
    try {
      while (this.isOutdated) {
        this.isOutdated = false;
        await this.presence.showHosts(this.shown());
      }
    } finally {
      this.isWriting = false;
    }
  }

  private shown(): ShownHost[] {
    const now = systemClock.now();
    return this.hosts.list().map(({ host, failures, breaker, pausedForMs }) => ({
      ...{ host, failures, breaker },
      paused_until: pausedForMs === null ? null : new Date(now + pausedForMs).toISOString(),
    }));
  }
}
