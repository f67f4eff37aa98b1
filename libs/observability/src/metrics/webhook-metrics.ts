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
        help: 'Webhook delivery attempts, by result; exhausted and endpoint_disabled are not retried.',
        labels: ['result'],
      },
      RESULTS.map((result) => ({ result })),
    );
    this.lag = metrics.histogram({
      name: 'capstan_webhook_lag_seconds',
      help: 'Seconds from an event to the delivery of its webhook.',
      buckets: SECONDS,
    });
  }

  /** @param seconds since the event */
  record(result: (typeof RESULTS)[number], seconds: number): void {
    this.attempts.inc({ result });
    if (result === 'delivered') this.lag.observe(seconds);
  }
}
