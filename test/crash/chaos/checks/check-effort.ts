import type { ChaosWorld, TimeSpan } from '../ledgers/chaos-world.js';
import type { ExecutionRow } from '../ledgers/database-ledger.js';
import { countForgottenAsks } from './forgotten-asks.js';
import { coveredMs, overlaps } from './time-spans.js';
import { groupBy, type Violation } from './violation.js';

/** Attempts that an execution may take without any fault. */
const FREE_ATTEMPTS = 2;
/** Two lost workers, two isolated processes, and the claim that fails the execution. */
const ATTEMPTS_OF_POISON = 5;
const FREE_WEBHOOK_REQUESTS = 3;
/** A client retries after 0.15 s, with a backoff of up to 2 s. */
const MAX_TRIES = 40;
const ACCEPTED_WITHIN_MS = 20_000;

/** I26: attempts, requests, submissions and webhooks are repeated in proportion to the faults. */
export function checkEffort(world: ChaosWorld): Violation[] {
  return [
    ...tooManyAttempts(world),
    ...tooManyRequests(world),
    ...tooManyTries(world),
    ...tooManyWebhooks(world),
  ];
}

const broken = (subject: string, detail: string): Violation => ({ invariant: 'I26', subject, detail });

/** Each fault and each end of a process during the execution may have ended one attempt and spoilt the next. */
function attemptsAllowed(world: ChaosWorld, during: TimeSpan): number {
  const ends = world.stops.map(({ from }) => ({ from, to: from }));
  const done = [...world.disturbances, ...ends].filter((span) => overlaps(span, during)).length;
  return FREE_ATTEMPTS + 2 * done;
}

function tooManyAttempts(world: ChaosWorld): Violation[] {
  const poison = new Set(world.plan.filter(({ fate }) => fate === 'poison').map(({ key }) => key));
  const own = (row: ExecutionRow) => (poison.has(row.key ?? '') ? ATTEMPTS_OF_POISON : 0);
  return world.database.executions
    .filter((row) => row.attempt > attemptsAllowed(world, lifeOf(row, world)) + own(row))
    .map((row) => broken(row.id, `took ${row.attempt} attempts`));
}

/** An attempt asks once for each round that the journal lacks, and once more for each failure of the plan. */
function tooManyRequests(world: ChaosWorld): Violation[] {
  const executions = new Map(world.database.executions.map((row) => [row.key, row]));
  const failures = new Map(world.plan.map((turn) => [turn.key, turn.modelFailures]));
  const rounds = groupBy(world.modelRequests, (request) =>
    [request.key ?? '', request.scope, 'round', request.round].join(' '),
  );
  return [...rounds].flatMap(([round, requests]): Violation[] => {
    const key = requests[0]?.key ?? null;
    const execution = executions.get(key);
    if (execution === undefined) return [];
    const counted = execution.attempt + (failures.get(key ?? '') ?? 0);
    const allowed = counted + countForgottenAsks(requests, world.lostTails);
    if (requests.length <= allowed) return [];
    return [
      broken(execution.id, `${round} was asked ${requests.length} times in ${execution.attempt} attempts`),
    ];
  });
}

function tooManyTries(world: ChaosWorld): Violation[] {
  return world.submissions.flatMap(({ key, tries, firstTriedAt, acceptedAt }): Violation[] => {
    if (tries > MAX_TRIES) return [broken(key, `its client needed ${tries} tries`)];
    if (acceptedAt === null) return [];
    const during = { from: firstTriedAt, to: acceptedAt };
    const waitedMs = acceptedAt - firstTriedAt - coveredMs(world.disturbances, during);
    if (waitedMs <= ACCEPTED_WITHIN_MS) return [];
    return [
      broken(key, `its client waited ${Math.round(waitedMs / 1_000)} s for an answer while nothing was done`),
    ];
  });
}

function tooManyWebhooks(world: ChaosWorld): Violation[] {
  const run = { from: world.run.from, to: Infinity };
  const executions = new Map(world.database.executions.map((row) => [row.id, row]));
  const received = groupBy(world.webhooks, (webhook) => webhook.id);
  return world.database.deliveries.flatMap(({ id, executionId }): Violation[] => {
    const times = received.get(id)?.length ?? 0;
    const from = executions.get(executionId)?.finishedAt ?? run.from;
    const done = world.disturbances.filter((disturbance) => overlaps(disturbance, { ...run, from })).length;
    return times > FREE_WEBHOOK_REQUESTS + done ? [broken(id, `came ${times} times`)] : [];
  });
}

function lifeOf(row: ExecutionRow, world: ChaosWorld): TimeSpan {
  return { from: row.createdAt, to: row.finishedAt ?? world.run.to };
}
