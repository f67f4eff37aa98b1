import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promtool } from './promtool.js';
import type { MetricSamples, Sample } from './read-metrics.js';

/** Minutes of health, and then of the fault: longer than the `for` of every rule. */
const WELL = 20;
const FAULTY = 30;

export interface AlertTest {
  /** The path of the rules' file. */
  readonly rules: string;
  readonly before: MetricSamples;
  readonly after: MetricSamples;
  /** The names of the alerts that have to fire. */
  readonly alerts: readonly string[];
  /** The names of alerts that may fire as well. */
  readonly ignored: readonly string[];
}

/**
 * Tests the rules on a system at `before` that gets to `after` within a minute, after which its counters grow at the same
 * rate. Throws unless exactly these alerts fire in the end and none before.
 */
export async function validateAlerts({ rules, before, after, alerts, ignored }: AlertTest): Promise<void> {
  const firing = (minute: number, names: readonly string[]) => ({
    expr: `count by (alertname) (ALERTS{alertstate="firing",alertname!~"${ignored.join('|')}"})`,
    eval_time: `${minute}m`,
    exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
  });
  const test = {
    interval: '1m',
    input_series: toSeries(before, after),
    promql_expr_test: [firing(WELL - 1, []), firing(WELL + FAULTY - 1, alerts)],
  };
  await checkWithPromtool(['test', 'rules'], {
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: [test],
  });
}

/** Throws unless Prometheus accepts the rules. */
export async function validateRules(rules: object): Promise<void> {
  await checkWithPromtool(['check', 'rules'], rules);
}

/** JSON is valid YAML, so the content needs no conversion. */
async function checkWithPromtool(command: readonly string[], content: object): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rules-'));
  try {
    const file = join(folder, 'rules.json');
    await writeFile(file, JSON.stringify(content));
    await promtool([...command, file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Series in the notation of promtool: `a+bxN` is a and N increments of b; `_` is a scrape without the series. */
function toSeries(before: MetricSamples, after: MetricSamples): object[] {
  const names = new Set([...before.samples, ...after.samples].map(nameOf));
  const [then, now] = [before, after].map(
    ({ samples }) => new Map(samples.map((sample) => [nameOf(sample), sample])),
  );
  return [...names].map((series) => ({ series, values: valuesOf(then?.get(series), now?.get(series)) }));
}

function valuesOf(before: Sample | undefined, after: Sample | undefined): string {
  const well = before ? `${before.value}+0x${WELL - 1}` : `_x${WELL}`;
  if (!after) return `${well} _x${FAULTY}`;
  const growth = isCounter(after.name) ? after.value - (before?.value ?? 0) : 0;
  return `${well} ${after.value}+${growth}x${FAULTY - 1}`;
}

function isCounter(name: string): boolean {
  return /_(total|count|sum|bucket)$/.test(name);
}

function nameOf({ name, labels }: Sample): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${pairs.sort().join(',')}}`;
}
