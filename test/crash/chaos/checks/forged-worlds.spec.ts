import { describe, expect, it } from '@jest/globals';
import { WATCHED_TOOLS } from '../../programs/watched-tools.js';
import type { ChaosWorld } from '../ledgers/chaos-world.js';
import type { DatabaseLedger } from '../ledgers/database-ledger.js';
import { checkWorld } from './check-world.js';
import { healthyWorld } from './healthy-world.js';

/** All ledgers agree on the failure, so that only I25 can notice it. */
function withEverythingFailed(errorCode: string, world = healthyWorld()): ChaosWorld {
  const { database } = world;
  return {
    ...world,
    endings: world.endings.map((ending) => ({ ...ending, status: 'failed' })),
    database: {
      ...database,
      executions: database.executions.map((row) => ({ ...row, status: 'failed', errorCode })),
      messages: [],
      deliveries: database.deliveries.map((delivery) => ({ ...delivery, type: 'execution.failed' })),
    },
  };
}

/** The unsafe call of the first turn was under way from 500 to 900, and its outcome is unknown. */
function withUnknownOutcome(): ChaosWorld {
  const world = healthyWorld();
  const forged = inDatabase(world, ({ executions, journal, runSteps, messages, deliveries }) => ({
    executions: executions.map((row) =>
      row.id === 'e1' ? { ...row, status: 'failed', errorCode: 'TOOL_OUTCOME_UNKNOWN' } : row,
    ),
    journal: journal.map((entry) =>
      entry.kind === 'tool_call_settled' ? { ...entry, outcome: 'outcome_unknown', createdAt: 900 } : entry,
    ),
    runSteps: runSteps.map((step) => ({ ...step, status: 'outcome_unknown' })),
    messages: messages.filter((message) => message.executionId !== 'e1'),
    deliveries: deliveries.map((one) =>
      one.executionId === 'e1' ? { ...one, type: 'execution.failed' } : one,
    ),
  }));
  return { ...forged, endings: [], modelRequests: world.modelRequests };
}

function inDatabase(
  world: ChaosWorld,
  by: (database: DatabaseLedger) => Partial<DatabaseLedger>,
): ChaosWorld {
  return { ...world, database: { ...world.database, ...by(world.database) } };
}

const invariantsOf = (world: ChaosWorld) => [
  ...new Set(checkWorld(world).map((violation) => violation.invariant)),
];

/** Worlds with ledgers that agree with each other, in which the service failed its clients all the same. */
const FORGED: readonly (readonly [what: string, invariants: readonly string[], world: () => ChaosWorld])[] = [
  ['everything is POISONED', ['I25'], () => withEverythingFailed('POISONED')],
  ['everything is INTERNAL_ERROR', ['I25'], () => withEverythingFailed('INTERNAL_ERROR')],
  [
    'outcomes are unknown without an unsafe call',
    ['I25'],
    () => withEverythingFailed('TOOL_OUTCOME_UNKNOWN'),
  ],
  [
    'the outcome of a call is unknown although its worker lived',
    ['I25'],
    () => ({ ...withUnknownOutcome(), stops: [] }),
  ],
  [
    'the outcome of a call is unknown although only another worker died',
    ['I25'],
    () => ({ ...withUnknownOutcome(), stops: [{ name: 'worker-2', pid: 12, from: 650, to: null }] }),
  ],
  [
    'the outcome of a call is unknown although its worker died only seconds later',
    ['I25'],
    () => ({ ...withUnknownOutcome(), stops: [{ name: 'worker-1', pid: 11, from: 2_901, to: null }] }),
  ],
  [
    'the outcome of a call is unknown although its worker was frozen but for a moment',
    ['I25'],
    () => ({ ...withUnknownOutcome(), stops: [{ name: 'worker-1', pid: 11, from: 650, to: 700 }] }),
  ],
  [
    'a delivery is exhausted without a request',
    ['I14'],
    () =>
      inDatabase({ ...healthyWorld(), webhooks: healthyWorld().webhooks.slice(0, 2) }, ({ deliveries }) => ({
        deliveries: deliveries.map((one) => (one.id === 'evt_2' ? { ...one, status: 'exhausted' } : one)),
      })),
  ],
  [
    'an unsafe effect happens twice, under two call keys that are each announced',
    ['I4'],
    () => {
      const world = inDatabase(healthyWorld(), ({ journal, runSteps }) => ({
        journal: journal.flatMap((entry) =>
          entry.executionId !== 'e1'
            ? [entry]
            : entry.sequence < 4
              ? [{ ...entry, calls: entry.calls * 2 }]
              : entry.sequence > 4
                ? [{ ...entry, sequence: entry.sequence + 2 }]
                : [
                    {
                      ...entry,
                      kind: 'tool_call_started',
                      sequence: 4,
                      round: 1,
                      position: 1,
                      responseId: null,
                    },
                    {
                      ...entry,
                      kind: 'tool_call_settled',
                      sequence: 5,
                      round: 1,
                      position: 1,
                      outcome: 'succeeded',
                      responseId: null,
                    },
                    { ...entry, sequence: 6 },
                  ],
        ),
        runSteps: [...runSteps, ...runSteps.map((step) => ({ ...step, position: 1 }))],
      }));
      const charges = world.calls.filter(({ tool }) => tool === WATCHED_TOOLS.unsafe);
      const again = charges.map((call) => ({ ...call, callKey: 'e1.1.1', at: 900, pid: 12 }));
      return { ...world, calls: [...world.calls, ...again] };
    },
  ],
  [
    'no answer has a usage row with tokens, and all records call its usage unknown',
    ['I28'],
    () =>
      inDatabase(healthyWorld(), ({ executions, journal, usage }) => ({
        executions: executions.map((row) => ({ ...row, totalTokens: 0 })),
        journal: journal.map((entry) => ({ ...entry, responseId: null })),
        usage: usage.map((row) => ({ ...row, state: 'unknown', responseId: null, totalTokens: null })),
      })),
  ],
  [
    'what an agent inside has cost is charged to its caller, and the sums are right',
    ['I28'],
    () => inDatabase(healthyWorld(), ({ usage }) => ({ usage: usage.map((row) => ({ ...row, scope: '' })) })),
  ],
  [
    'an agent inside is called anew after its end, and its call waits for the second one',
    ['I29'],
    () =>
      inDatabase(healthyWorld(), ({ journal }) => ({
        journal: journal.flatMap((entry) => {
          const isLater = entry.executionId === 'e3' && entry.sequence > 8;
          if (isLater) return [{ ...entry, sequence: entry.sequence + 2 }];
          if (entry.kind !== 'scope_settled') return [entry];
          const opened = { ...entry, kind: 'scope_opened', sequence: 9 };
          return [entry, opened, { ...entry, sequence: 10 }];
        }),
      })),
  ],
  [
    'an agent inside was forgotten, and its caller made up what it had answered',
    ['I29'],
    () =>
      inDatabase(healthyWorld(), ({ journal }) => ({
        journal: journal
          .filter(({ kind }) => kind !== 'scope_settled')
          .map((entry) =>
            entry.executionId === 'e3' && entry.sequence > 8
              ? { ...entry, sequence: entry.sequence - 1 }
              : entry,
          ),
      })),
  ],
  [
    'the answers to lost attempts are as if they had never been',
    ['I28'],
    () =>
      inDatabase(healthyWorld(), ({ usage }) => ({ usage: usage.filter((row) => row.state === 'known') })),
  ],
  [
    'a round is asked 50 times',
    ['I26', 'I28'],
    () => {
      const world = healthyWorld();
      const [first] = world.modelRequests;
      const again = Array.from({ length: 50 }, (_, index) => ({
        ...world.modelRequests[1],
        ...first,
        responseId: `again-${index}`,
        isComplete: false,
      }));
      return { ...world, modelRequests: [...world.modelRequests, ...(again as ChaosWorld['modelRequests'])] };
    },
  ],
  [
    'a round is asked 50 times, in 50 attempts',
    ['I26'],
    () =>
      inDatabase(healthyWorld(), ({ executions }) => ({
        executions: executions.map((row) => ({ ...row, attempt: 50 })),
      })),
  ],
  [
    'an effect happened whose audit says failed',
    ['I6'],
    () =>
      inDatabase(healthyWorld(), ({ journal, runSteps }) => ({
        journal: journal.map((entry) => (entry.outcome === null ? entry : { ...entry, outcome: 'failed' })),
        runSteps: runSteps.map((step) => ({ ...step, status: 'failed' })),
      })),
  ],
  [
    'a client needed 500 tries',
    ['I26'],
    () => ({
      ...healthyWorld(),
      submissions: healthyWorld().submissions.map((one) => ({ ...one, tries: 500 })),
    }),
  ],
  [
    'events are gone for good',
    ['I13'],
    () => ({
      ...healthyWorld(),
      followers: healthyWorld().followers.map(({ connections, ...follower }) => ({
        ...follower,
        connections: connections.slice(0, 1).map(({ afterId, events }) => ({
          afterId,
          events: events.map((event) =>
            event.id === 2 ? { ...event, event: 'result', round: null } : event,
          ),
        })),
      })),
    }),
  ],
  [
    'events are gone for good, and the moments of it are forgiven',
    ['I27'],
    () => ({
      ...healthyWorld(),
      streamOutages: [{ from: 0, to: 2_000 }],
      followers: healthyWorld().followers.map(({ connections, ...follower }) => ({
        ...follower,
        connections: connections.slice(1).map(({ events }) => ({ afterId: 0, events: events.slice(-1) })),
      })),
    }),
  ],
];

describe('the checks of a chaos run, in a world that is forged as a whole', () => {
  it.each(FORGED)('notice that %s', (_what, invariants, world) => {
    expect(invariantsOf(world())).toEqual(invariants);
  });

  it('accept an unknown outcome of a killed worker', () => {
    expect(checkWorld(withUnknownOutcome())).toEqual([]);
  });

  it('accept it of one whose end was noted late', () => {
    const stops = [{ name: 'worker-1', pid: 11, from: 2_899, to: null }];
    expect(checkWorld({ ...withUnknownOutcome(), stops })).toEqual([]);
  });

  it('accept it of one that was frozen for as long as its lease lasts', () => {
    const stops = [{ name: 'worker-1', pid: 11, from: 650, to: 1_700 }];
    expect(checkWorld({ ...withUnknownOutcome(), stops })).toEqual([]);
  });

  it('accept it of a read call neither', () => {
    const world = inDatabase(withUnknownOutcome(), ({ runSteps }) => ({
      runSteps: runSteps.map((step) => ({ ...step, toolName: WATCHED_TOOLS.read })),
    }));
    expect(invariantsOf(world)).toEqual(['I25']);
  });
});

describe('an unknown outcome of an unsafe call', () => {
  /** The call beside it, which may be repeated, began at this time and was not repeated after the failure. */
  const besideCallFrom = (createdAt: number): string[] =>
    invariantsOf(
      inDatabase(withUnknownOutcome(), ({ journal }) => ({
        journal: journal.flatMap((entry) =>
          entry.executionId !== 'e1' || entry.round !== 1 || entry.position !== 0
            ? [entry]
            : [entry, { ...entry, position: 1, createdAt: entry.outcome === null ? createdAt : 900 }],
        ),
      })),
    );

  it('excuses an interrupted call beside it', () => {
    expect(besideCallFrom(500)).not.toContain('I25');
  });

  it('does not excuse a call beside it that no fault interrupted', () => {
    expect(besideCallFrom(899)).toContain('I25');
  });
});
