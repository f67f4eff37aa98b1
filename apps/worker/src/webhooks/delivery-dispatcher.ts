import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { Dispatcher } from '#libs/executions';
import { warnRarely, type Logger } from '#libs/observability';
import { deliverWebhookJob } from '#libs/payloads';
import { WebhookDispatchStore, type DueDelivery } from '#libs/persistence';
import { JobSender } from '../dispatch/job-sender.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

/** Maximum queued webhook jobs: about twice what one worker process sends at once. */
const DELIVERIES_WAITING = 40;

/** Sends jobs for due webhook deliveries. */
@Injectable()
export class DeliveryDispatcher extends Dispatcher<DueDelivery> {
  constructor(
    store: WebhookDispatchStore,
    sender: JobSender,
    @Inject(WORKER_CONFIG) { dispatch: { redispatchAfterMs }, webhooks }: AppConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    const options = { queueTarget: DELIVERIES_WAITING, redispatchAfterMs, ...webhooks };
    const jobOf = ({ id }: DueDelivery) => deliverWebhookJob(id, randomUUID());
    super(
      { take: () => store.take(options), requeue: (due) => store.requeue(due) },
      (due) => sender.send('deliver-webhook', due.map(jobOf)),
      warnRarely(logger, 'webhooks not dispatched'),
    );
  }
}
