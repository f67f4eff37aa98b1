import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promtool } from './promtool.js';
import type { MetricSamples, Sample } from './read-metrics.js';

/** Minutes at which everything is well, and then those in which the fault goes on: longer than any rule waits. */
const WELL = 20;
const FAULTY = 30;

export interface Judged {
  /** The file of the rules. */
  readonly rules: string;
  readonly before: MetricSamples;
  readonly after: MetricSamples;
  /** By name. */
  readonly alerts: readonly string[];
  /** Those that may fire as well. */
  readonly ignored: readonly string[];
}

/**
 * Holds the rules to a system that stood at `before` for a while, gets to `after` within a minute and goes on like that:
 * counters grow by as much every minute, gauges stay, what is gone stays away. Throws unless just these alerts fire then,
 * and none before.
 */
export async function judgeAlerts({ rules, before, after, alerts, ignored }: Judged): Promise<void> {
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
  await judge(['test', 'rules'], { rule_files: [rules], evaluation_interval: '1m', tests: [test] });
}

/** Throws unless Prometheus would take them. */
export async function judgeRules(rules: object): Promise<void> {
  await judge(['check', 'rules'], rules);
}

/** What is JSON is YAML. */
async function judge(command: readonly string[], content: object): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rules-'));
  try {
    const file = join(folder, 'rules.json');
    await writeFile(file, JSON.stringify(content));
    await promtool([...command, file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** As promtool reads them: `a+bxN` is a, and N times b more; `_` is a scrape without the series. */
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
