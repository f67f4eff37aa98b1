import { INVARIANTS } from '../checks/check-world.js';
import type { Violation } from '../checks/violation.js';
import type { Distribution } from './distribution.js';
import type { ChaosSummary } from './summarise.js';

const VIOLATIONS_SHOWN = 12;

/** The report of a run in Markdown. Pure. */
export function formatReport(summary: ChaosSummary, violations: readonly Violation[]): string {
  const { webhooks, streams } = summary;
  return [
    `# Chaos: ${summary.seconds} s, seed ${summary.seed}, queue in ${summary.backend}, ${summary.profile} times${
      summary.pace === 1 ? '' : `, faults ${summary.pace} times as far apart`
    }${summary.control === null ? '' : `, without ${summary.control}`}`,
    '',
    table(
      ['what', 'figure'],
      [
        ['accepted', `${summary.accepted} (by ${summary.submissionTries} requests)`],
        ['ended', list(summary.settledByStatus)],
        ['failures', list(summary.failuresByCode)],
        ['took several attempts', `${summary.severalAttempts}, at most ${summary.mostAttempts}`],
        ['unknown outcomes, reported as such', String(summary.unknownOutcomes)],
        ['effects', list(summary.effects)],
        ['idempotent calls repeated without effect', String(summary.repeatedCallsWithoutEffect)],
        ['answers of the model lost with a worker and asked again', String(summary.answersPaidTwice)],
        ['webhooks', `${webhooks.deliveries} in ${webhooks.requests} requests, ${webhooks.refused} refused`],
        [
          'event streams',
          `${streams.followed} followed over ${streams.connections} connections, ${streams.resumes} resumes`,
        ],
        ['drained after the last fault', ms(summary.drainedAfterMs)],
        ['moments in which something is forgiven', shares(summary.exempt)],
        ['most executions of others begun while one waited', String(summary.mostOvertakings)],
        ['answers of the API', list(summary.answersByStatus)],
        ['most memory, MB', list(summary.mostResidentMegabytes)],
        ['most database connections', String(summary.mostDatabaseConnections)],
      ],
    ),
    '',
    table(
      ['fault', 'times'],
      Object.entries(summary.faultsByKind).map(([kind, count]) => [kind, String(count)]),
    ),
    '',
    table(
      ['time', 'count', 'p50', 'p95', 'max'],
      [
        spread('small execution before the faults', summary.calm.before),
        spread('small execution after the faults', summary.calm.after),
        spread('accepted to ended, one attempt', summary.undisturbed),
        spread('accepted to ended, several attempts', summary.recovered),
        ...Object.entries(summary.untilNextEnding).map(([kind, times]) =>
          spread(`${kind} to the next ending`, times),
        ),
      ],
    ),
    '',
    table(
      ['invariant', 'promise', 'violations'],
      Object.entries(INVARIANTS).map(([id, { promise }]) => [
        id,
        promise,
        String(summary.violations[id] ?? 0),
      ]),
    ),
    ...describeViolations(violations),
    '',
  ].join('\n');
}

function describeViolations(violations: readonly Violation[]): string[] {
  if (violations.length === 0) return [];
  const shown = violations.slice(0, VIOLATIONS_SHOWN);
  return [
    '',
    ...shown.map(({ invariant, subject, detail }) => `- **${invariant}** ${subject}: ${detail}`),
    ...(violations.length > shown.length ? [`- … and ${violations.length - shown.length} more`] : []),
  ];
}

function spread(name: string, { count, p50Ms, p95Ms, maxMs }: Distribution): string[] {
  return [name, String(count), ms(p50Ms), ms(p95Ms), ms(maxMs)];
}

function ms(value: number | null): string {
  return value === null ? '–' : `${(value / 1_000).toFixed(1)} s`;
}

function list(counts: Readonly<Record<string, number>>): string {
  return (
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none'
  );
}

function shares(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, share]) => `${name} ${Math.round(share * 100)} %`)
    .join(', ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
