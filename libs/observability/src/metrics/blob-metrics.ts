import type { Metrics } from './metrics.js';

const OPERATIONS = ['write', 'read', 'remove', 'check'] as const;

/** Counts failures of the store for original documents and uploads. */
export class BlobMetrics {
  private readonly failures;

  constructor(metrics: Metrics) {
    this.failures = metrics.counter(
      {
        name: 'capstan_blob_failures_total',
        help: 'Failed operations of the store of files.',
        labels: ['operation'],
      },
      OPERATIONS.map((operation) => ({ operation })),
    );
  }

  recordFailure(operation: (typeof OPERATIONS)[number]): void {
    this.failures.inc({ operation });
  }
}
