export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** The metrics that a process exposed at one moment. */
export class MetricSamples {
  constructor(
    readonly text: string,
    readonly samples: readonly Sample[],
  ) {}

  /** The sum of all series with this name and these labels; 0 if there is none. */
  sum(name: string, labels: Labels = {}): number {
    return this.of(name, labels).reduce((sum, { value }) => sum + value, 0);
  }

  of(name: string, labels: Labels = {}): readonly Sample[] {
    const wanted = Object.entries(labels);
    return this.samples.filter(
      (sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value),
    );
  }

  get names(): ReadonlySet<string> {
    return new Set(this.samples.map(({ name }) => name));
  }
}

/** Reads the metrics of an endpoint. Throws if they are not in the format of Prometheus. */
export async function readMetrics(url: string): Promise<MetricSamples> {
  const response = await fetch(url);
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !type.startsWith('text/plain; version=0.0.4'))
    throw new Error(`${url}: ${response.status} ${type}`);
  const text = await response.text();
  return new MetricSamples(text, parseSamples(text));
}

/** The series of a text in the Prometheus format 0.0.4, without comments. */
function parseSamples(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseSample);
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

function parseSample(line: string): Sample {
  const [, name, labels = '', value] = LINE.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text] as const);
  return { name, labels: Object.fromEntries(pairs), value: toNumber(value ?? '') };
}

function toNumber(text: string): number {
  if (text === '+Inf') return Infinity;
  return text === 'Nan' ? NaN : Number(text);
}
