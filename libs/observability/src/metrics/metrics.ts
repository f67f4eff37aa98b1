import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What a metric is; its name says its unit, as Prometheus has it. */
export interface MetricDefinition<Label extends string> {
  readonly name: `capstan_${string}`;
  readonly help: string;
  /** Each with few values that are known beforehand: never an id, and nothing that a client can choose. */
  readonly labels?: readonly Label[];
}

export interface HistogramDefinition<Label extends string> extends MetricDefinition<Label> {
  /** Upper bounds, ascending, in the unit of the name. */
  readonly buckets: readonly number[];
}

/** As it is exposed. */
export interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
}

/** What prom-client keeps of a metric, and its types do not say. */
type PromMetric = Omit<DescribedMetric, 'labels'> & { readonly labelNames: readonly string[] };

/** The metrics of one process. Nothing of it is shared with another: a test makes its own. */
export class Metrics {
  private readonly registry = new Registry();

  /** Adds what Node knows of the process: memory, CPU, event loop, garbage collection. Once a process. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** `seen`: label values that are there, at 0, before anything happened: an increase from nothing is none. */
  counter<Label extends string>(
    { name, help, labels = [] }: MetricDefinition<Label>,
    seen: readonly Record<Label, string>[] = [],
  ): Counter<Label> {
    const counter = new Counter({ name, help, labelNames: labels, registers: [this.registry] });
    for (const values of seen) counter.inc(values, 0);
    return counter;
  }

  /** `collect` sets it, each time that somebody reads. */
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

  /** What there is, in the order in which it was made. */
  list(): readonly DescribedMetric[] {
    return this.registry.getMetricsAsArray().map((metric) => {
      const { name, help, type, labelNames } = metric as unknown as PromMetric;
      return { name, help, type, labels: labelNames };
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All of them in the text format of Prometheus. */
  read(): Promise<string> {
    return this.registry.metrics();
  }
}
