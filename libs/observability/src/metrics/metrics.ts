import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Definition of a metric. Its name ends with its unit, as Prometheus recommends. */
export interface MetricDefinition<Label extends string> {
  readonly name: `capstan_${string}`;
  readonly help: string;
  /** Labels with few values known in advance: never an id, and nothing that a client can choose. */
  readonly labels?: readonly Label[];
}

export interface HistogramDefinition<Label extends string> extends MetricDefinition<Label> {
  /** Upper bounds in ascending order, in the unit of the name. */
  readonly buckets: readonly number[];
}

/** A metric as it is exposed. */
export interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
}

/** Fields that prom-client has on a metric but not in its types. */
type PromMetric = Omit<DescribedMetric, 'labels'> & { readonly labelNames: readonly string[] };

/** The metrics of one process, without global state, so that each test can create its own. */
export class Metrics {
  private readonly registry = new Registry();

  /** Adds Node's process metrics: memory, CPU, event loop, garbage collection. To be called once per process. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** `seen`: label values that start at 0, since Prometheus sees no increase when a series first appears. */
  counter<Label extends string>(
    { name, help, labels = [] }: MetricDefinition<Label>,
    seen: readonly Record<Label, string>[] = [],
  ): Counter<Label> {
    const counter = new Counter({ name, help, labelNames: labels, registers: [this.registry] });
    for (const values of seen) counter.inc(values, 0);
    return counter;
  }

  /** `collect` sets the gauge on each scrape. */
  gauge<Label extends string>(
    { name, help, labels = [] }: MetricDefinition<Label>,
    collect: (gauge: Gauge<Label>) => void | Promise<void>,
  ): void {
    const read = async function (this: Gauge<Label>): Promise<void> {
      await collect(this);
    };
    new Gauge({ name, help, labelNames: labels, registers: [this.registry], collect: read });
  }

  histogram<Label extends string>({
    name,
    help,
    labels = [],
    buckets,
  }: HistogramDefinition<Label>): Histogram<Label> {
    return new Histogram({
      name,
      help,
      labelNames: labels,
      buckets: [...buckets],
      registers: [this.registry],
    });
  }

  /** All metrics in registration order. */
  list(): readonly DescribedMetric[] {
    return this.registry.getMetricsAsArray().map((metric) => {
      const { name, help, type, labelNames } = metric as unknown as PromMetric;
      return { name, help, type, labels: labelNames };
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics in the Prometheus text format. */
  read(): Promise<string> {
    return this.registry.metrics();
  }
}
