import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { parseJob } from '#libs/payloads';
import { QueueProcessor } from '../queue/queue-processor.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { DeliverProgress, WEBHOOK_CONCURRENCY } from './worker-deliveries.js';
import { DeliverWebhook } from './deliver-webhook.js';

/** Processes jobs that name deliveries. Whether one is due, and its result, is in the database. */
@Processor('deliver-webhook', QUEUE_WORKER_OPTIONS)
export class DeliverWebhookProcessor extends QueueProcessor {
  readonly concurrency = WEBHOOK_CONCURRENCY;

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
