import type { Metrics } from './metrics.js';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

export interface MeasuredRequest {
  readonly method: string;
  /** Route template, e.g. `/api/executions/:id`; undefined without a matching route. Never a path. */
  readonly route: string | undefined;
  readonly status: number;
  /** `execution` for a 5xx that reports a failed execution, which is no failure of the server; undefined otherwise. */
  readonly cause?: 'execution' | undefined;
  readonly seconds: number;
}

/** Response times of an HTTP server. */
export class HttpMetrics {
  private readonly durations;

  constructor(metrics: Metrics) {
    this.durations = metrics.histogram({
      name: 'capstan_http_request_duration_seconds',
      help: 'Seconds from the arrival of a request to the end of its answer, by route template.',
      labels: ['method', 'route', 'status', 'cause'],
      buckets: SECONDS,
    });
  }

  record({ method, route, status, cause, seconds }: MeasuredRequest): void {
    const labels = { method: METHODS.has(method) ? method : 'other', route: route ?? 'none' };
    this.durations.observe({ ...labels, status: String(status), ...(cause && { cause }) }, seconds);
  }
}
