import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import {
  BlobMetrics,
  ExecutionMetrics,
  HttpMetrics,
  Metrics,
  PoolMetrics,
  WebhookMetrics,
  WorkMetrics,
} from '#libs/observability';
import { ROOT } from './repository-files.js';

const document = readFileSync(join(ROOT, 'docs/reference/metrics.md'), 'utf8');
const rules = parse(readFileSync(join(ROOT, 'monitoring/alerts.yaml'), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
};

/** All metrics that the project's processes can expose, without the default metrics of Node.js. */
function everyMetric(): ReturnType<Metrics['list']> {
  const metrics = new Metrics();
  new ExecutionMetrics(metrics, []);
  new WebhookMetrics(metrics);
  new BlobMetrics(metrics);
  new HttpMetrics(metrics);
  new PoolMetrics(metrics, { totalCount: 0, idleCount: 0, waitingCount: 0 });
  const never = (): Promise<never> => Promise.reject(new Error('nobody reads it'));
  new WorkMetrics(metrics, never, { monotonic: () => 0 }, () => undefined);
  return metrics.list();
}

/** Rows of the table that has this title in its first column, split into cells. */
function rowsOf(title: string): string[][] {
  const lines = document.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`| ${title} `));
  const table = lines.slice(begin + 2);
  return table
    .slice(
      0,
      table.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe('docs/reference/metrics.md', () => {
  it('lists every metric with its type, its labels and what it says, and no other', () => {
    const listed = rowsOf('metric').map((cells) => cells.slice(0, 4));
    const exposed = everyMetric().map(({ name, type, labels, help }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]);
    expect(exposed.length).toBeGreaterThan(25);
    expect(listed).toEqual(exposed);
  });

  it('says of every alert what to do, and of no other', () => {
    const alerts = rules.groups.flatMap((group) => group.rules.map(({ alert }) => `\`${alert}\``));
    const described = rowsOf('alert');
    expect(described.map(([alert]) => alert)).toEqual(alerts);
    expect(described.every(([, , advice = '']) => advice.length > 10)).toBe(true);
  });
});

describe('names of metrics', () => {
  it.each(everyMetric().map(({ name, type, labels }) => [name, type, labels] as const))(
    '%s says its unit, as Prometheus has it, and has no label that grows',
    (name, type, labels) => {
      expect(name.endsWith('_total')).toBe(type === 'counter');
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
      expect(name).not.toMatch(/_(ms|millis|percent|count)$/);
      const growing = /(^|_)(id|tenant|session|execution|agent|path|url|user)(_|$)/;
      expect(labels.filter((label) => growing.test(label))).toEqual([]);
    },
  );
});
