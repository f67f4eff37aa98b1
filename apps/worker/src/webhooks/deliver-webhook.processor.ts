import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { parseJob } from '#libs/payloads';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { ProgressWatch } from '../health/progress-watch.js';
import { DeliverWebhook } from './deliver-webhook.js';

/** Of the deliveries that this process takes up. */
export class DeliverProgress extends ProgressWatch {}

/** A job says: this delivery may be due. Whether it is, and how it went, is in the database. */
@Processor('deliver-webhook', QUEUE_WORKER_OPTIONS)
export class DeliverWebhookProcessor extends WorkerHost {
  constructor(
    private readonly deliverWebhook: DeliverWebhook,
    readonly progress: DeliverProgress,
  ) {
    super();
  }

  override async process(job: Job): Promise<void> {
    const end = this.progress.begin();
    try {
      await this.deliverWebhook.execute(parseJob('deliver-webhook', job.data).deliveryId);
    } finally {
      end();
    }
  }
}
