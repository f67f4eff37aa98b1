import type { Metrics } from './metrics.js';

const OPERATIONS = ['write', 'read', 'remove', 'check'] as const;

/** What fails of the store in which originals and uploads are kept. */
export class BlobMetrics {
  private readonly failures;

  constructor(metrics: Metrics) {
    this.failures = metrics.counter(
      {
        name: 'capstan_blob_failures_total',
        help: 'How often the store of files did not do what it was asked.',
        labels: ['operation'],
      },
      OPERATIONS.map((operation) => ({ operation })),
    );
  }

  recordFailure(operation: (typeof OPERATIONS)[number]): void {
    this.failures.inc({ operation });
  }
}
