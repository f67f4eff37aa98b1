import type { Metrics } from './metrics.js';

const SECONDS = [0.1, 0.5, 1, 5, 30, 60, 300, 1_800, 3_600, 21_600, 86_400];
const RESULTS = ['delivered', 'retry', 'exhausted', 'endpoint_disabled'] as const;

/** Metrics of webhook delivery attempts. */
export class WebhookMetrics {
  private readonly attempts;
  private readonly lag;

  constructor(metrics: Metrics) {
    this.attempts = metrics.counter(
      {
        name: 'capstan_webhook_attempts_total',
        help: 'Tries to deliver a webhook by what follows; exhausted and endpoint_disabled are given up.',
        labels: ['result'],
      },
      RESULTS.map((result) => ({ result })),
    );
    this.lag = metrics.histogram({
      name: 'capstan_webhook_lag_seconds',
      help: 'From the event to its delivery, of webhooks that were delivered.',
      buckets: SECONDS,
    });
  }

  /** @param seconds since the event */
  record(result: (typeof RESULTS)[number], seconds: number): void {
    this.attempts.inc({ result });
    if (result === 'delivered') this.lag.observe(seconds);
  }
}
