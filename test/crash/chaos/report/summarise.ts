import { exemptShares } from '../checks/check-exemptions.js';
import { overtakings } from '../checks/check-fairness.js';
import { INVARIANTS } from '../checks/check-world.js';
import { groupBy, SETTLED } from '../checks/violation.js';
import type { ChaosResult } from '../run-chaos.js';
import { distributionOf, type Distribution } from './distribution.js';

/** The figures of a run. */
export interface ChaosSummary {
  readonly seed: number;
  readonly backend: string;
  readonly control: string | null;
  readonly profile: string;
  /** The factor by which the time between faults is longer than usual. */
  readonly pace: number;
  readonly seconds: number;
  readonly accepted: number;
  readonly submissionTries: number;
  readonly settledByStatus: Readonly<Record<string, number>>;
  readonly failuresByCode: Readonly<Record<string, number>>;
  readonly severalAttempts: number;
  readonly mostAttempts: number;
  readonly effects: Readonly<Record<string, number>>;
  readonly repeatedCallsWithoutEffect: number;
  readonly unknownOutcomes: number;
  readonly faultsByKind: Readonly<Record<string, number>>;
  readonly answersPaidTwice: number;
  readonly webhooks: { readonly deliveries: number; readonly requests: number; readonly refused: number };
  readonly streams: { readonly followed: number; readonly connections: number; readonly resumes: number };
  readonly answersByStatus: Readonly<Record<string, number>>;
  /** The times from acceptance to end. */
  readonly undisturbed: Distribution;
  readonly recovered: Distribution;
  /** The times from the beginning of a fault to the next ending of any execution, by kind of fault. */
  readonly untilNextEnding: Readonly<Record<string, Distribution>>;
  readonly drainedAfterMs: number | null;
  readonly calm: { readonly before: Distribution; readonly after: Distribution };
  /** The shares of the run, 0 to 1, that each kind of exemption covers. */
  readonly exempt: Readonly<Record<string, number>>;
  /** The most executions of other tenants that began while one execution waited. */
  readonly mostOvertakings: number;
  readonly mostResidentMegabytes: Readonly<Record<string, number>>;
  readonly mostDatabaseConnections: number;
  readonly violations: Readonly<Record<string, number>>;
}

/** The figures of a run, computed from its ledgers. Pure. */
export function summarise({
  options,
  world,
  faults,
  violations,
  answers,
  ...rest
}: ChaosResult): ChaosSummary {
  const { executions } = world.database;
  const settled = executions.filter((row) => SETTLED.has(row.status));
  const lasted = settled.map((row) => ({ row, ms: (row.finishedAt ?? 0) - row.createdAt }));
  const endings = settled.map((row) => row.finishedAt ?? 0).toSorted((one, other) => one - other);
  const counted = new Set(world.database.usage.map((row) => row.responseId));
  const connections = world.followers.reduce((sum, follower) => sum + follower.connections.length, 0);
  return {
    seed: options.seed,
    backend: options.backend,
    control: options.control,
    profile: options.times.name,
    pace: options.times.pace,
    seconds: Math.round(options.durationMs / 1_000),
    accepted: world.submissions.filter((submission) => submission.acceptedAs.length > 0).length,
    submissionTries: world.submissions.reduce((sum, submission) => sum + submission.tries, 0),
    settledByStatus: countBy(executions, (row) => row.status),
    failuresByCode: countBy(
      executions.filter((row) => row.errorCode !== null),
      (row) => row.errorCode ?? '',
    ),
    severalAttempts: executions.filter((row) => row.attempt > 1).length,
    mostAttempts: Math.max(0, ...executions.map((row) => row.attempt)),
    effects: countBy(
      world.calls.filter((call) => call.tookEffect),
      (call) => call.tool,
    ),
    repeatedCallsWithoutEffect: rest.repeatedCalls,
    unknownOutcomes: world.database.runSteps.filter((step) => step.status === 'outcome_unknown').length,
    faultsByKind: countBy(faults, ({ fault }) =>
      'victim' in fault ? `${fault.kind} ${fault.victim}` : fault.kind,
    ),
    answersPaidTwice: world.modelRequests.filter(
      (request) => request.isComplete && request.status === 200 && !counted.has(request.responseId),
    ).length,
    webhooks: {
      deliveries: world.database.deliveries.length,
      requests: world.webhooks.length,
      refused: world.webhooks.filter(
        (webhook) => webhook.answeredWith === null || webhook.answeredWith >= 300,
      ).length,
    },
    streams: { followed: world.followers.length, connections, resumes: connections - world.followers.length },
    answersByStatus: Object.fromEntries([...answers].toSorted()),
    undisturbed: distributionOf(lasted.filter(({ row }) => row.attempt <= 1).map(({ ms }) => ms)),
    recovered: distributionOf(lasted.filter(({ row }) => row.attempt > 1).map(({ ms }) => ms)),
    untilNextEnding: Object.fromEntries(
      [...groupBy(faults, ({ fault }) => fault.kind)].map(([kind, group]) => [
        kind,
        distributionOf(group.flatMap(({ from }) => nextAfter(endings, from))),
      ]),
    ),
    drainedAfterMs: world.drainedAfterMs,
    calm: { before: distributionOf(world.calm.beforeMs), after: distributionOf(world.calm.afterMs) },
    exempt: Object.fromEntries(exemptShares(world).map(({ what, share }) => [what, share])),
    mostOvertakings: Math.max(0, ...overtakings(world).map(({ times }) => times)),
    mostResidentMegabytes: Object.fromEntries(
      [...groupBy(world.samples, (sample) => sample.name)].map(([name, samples]) => [
        name,
        Math.round(Math.max(...samples.map((sample) => sample.residentBytes)) / 2 ** 20),
      ]),
    ),
    mostDatabaseConnections: rest.mostConnections,
    violations: Object.fromEntries(
      Object.keys(INVARIANTS).map((id) => [
        id,
        violations.filter(({ invariant }) => invariant === id).length,
      ]),
    ),
  };
}

function countBy<T>(items: readonly T[], nameOf: (item: T) => string): Record<string, number> {
  const groups = [...groupBy(items, nameOf)].toSorted(([one], [other]) => one.localeCompare(other));
  return Object.fromEntries(groups.map(([name, group]) => [name, group.length]));
}

function nextAfter(sortedTimes: readonly number[], from: number): number[] {
  const next = sortedTimes.find((time) => time > from);
  return next === undefined ? [] : [next - from];
}
