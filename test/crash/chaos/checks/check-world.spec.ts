import { describe, expect, it } from '@jest/globals';
import { WATCHED_TOOLS } from '../../programs/watched-tools.js';
import {
  bill,
  calls,
  deliveries,
  execution,
  followed,
  inDatabase,
  journal,
  messages,
  type Breakage,
} from './breakages.js';
import { SCOPE_BREAKAGES } from './scope-breakages.js';
import { checkWorld, INVARIANTS } from './check-world.js';
import { healthyWorld } from './healthy-world.js';

const SECOND_ATTEMPT = { executionId: 'e1', sequence: 3 };
const charge = {
  executionId: 'e1',
  callKey: 'e1.1.0',
  tool: WATCHED_TOOLS.unsafe,
  item: 'i1',
  at: 900,
  tookEffect: true,
  pid: 12,
  parentPid: 1,
};
const upsert = { ...charge, tool: WATCHED_TOOLS.idempotent };

/** Each entry breaks one promise of the healthy world. */
const BREAKAGES: readonly (readonly [invariant: string, what: string, Breakage])[] = [
  ['I1', 'an accepted execution is gone', execution('e2', null)],
  ['I1', 'an accepted execution still runs', execution('e2', { status: 'running' })],
  ['I1', 'its journal has no ending', journal({ executionId: 'e2', kind: 'execution_settled' }, null)],
  ['I2', 'an ending changed after a client had seen it', execution('e1', { status: 'failed' })],
  [
    'I3',
    'one key was answered with two executions',
    (world) => ({
      ...world,
      submissions: world.submissions.map((one) => ({ ...one, acceptedAs: ['e1', 'e2'] })),
    }),
  ],
  ['I3', 'two executions are stored for one key', execution('e2', { key: 'k1' })],
  ['I4', 'an unsafe call took effect twice', calls(charge)],
  ['I4', 'it took effect again under another call key', calls({ ...charge, callKey: 'e2.1.0' })],
  ['I5', 'an idempotent call took effect twice', calls(upsert, upsert)],
  ['I6', 'an effect was not announced', calls({ ...charge, callKey: 'e2.1.0' })],
  ['I6', 'an effect was announced too late', journal({ kind: 'tool_call_started' }, { createdAt: 700 })],
  ['I6', 'a success never took place', (world) => ({ ...world, calls: [] })],
  ['I6', 'an effect was never planned', calls({ ...charge, item: 'i9' })],
  [
    'I6',
    'the audit denies an effect',
    inDatabase(({ runSteps }) => ({ runSteps: runSteps.map((step) => ({ ...step, status: 'failed' })) })),
  ],
  ['I7', 'an old attempt wrote', journal({ executionId: 'e1', sequence: 4 }, { epoch: 1 })],
  ['I7', 'an attempt wrote that never claimed', journal({ executionId: 'e1', sequence: 5 }, { epoch: 3 })],
  ['I7', 'an entry is missing', journal(SECOND_ATTEMPT, null)],
  ['I7', 'something was written after the ending', journal(SECOND_ATTEMPT, { kind: 'execution_settled' })],
  ['I8', 'an overtaken worker sent a call', calls({ ...charge, at: 2_500, pid: 11 })],
  ['I8', 'a call was sent long after the ending', calls({ ...charge, at: 2_500 })],
  ['I9', 'turns were stored in another order', messages(4, { id: 0 })],
  ['I9', 'a message stands in another turn', messages(5, { turnNumber: 3 })],
  ['I9', 'a message lacks', messages(3, null)],
  ['I9', 'an answer came twice', messages(4, { role: 'assistant' })],
  [
    'I10',
    'the model saw a call without its output',
    (world) => ({
      ...world,
      modelRequests: world.modelRequests.map((request) => ({ ...request, brokenPairs: ['c1'] })),
    }),
  ],
  [
    'I10',
    'the model refused the conversation',
    (world) => ({
      ...world,
      modelRequests: world.modelRequests.map((request) => ({ ...request, status: 400 })),
    }),
  ],
  ['I10', 'a call has no outcome', journal(SECOND_ATTEMPT, { kind: 'tool_call_started' })],
  [
    'I11',
    'a turn was answered without the one before',
    (world) => ({
      ...world,
      modelRequests: world.modelRequests.map((request) => ({ ...request, knownAnswers: [] })),
    }),
  ],
  [
    'I12',
    'an event is missing',
    followed((follower) => ({
      ...follower,
      connections: follower.connections.map(({ afterId, events }) => ({ afterId, events: events.slice(1) })),
    })),
  ],
  [
    'I12',
    'an event came twice',
    followed((follower) => ({
      ...follower,
      connections: follower.connections.flatMap((connection) => [connection, connection]),
    })),
  ],
  [
    'I12',
    'the result is missing',
    followed((follower) => ({
      ...follower,
      connections: follower.connections.slice(0, 1),
    })),
  ],
  ['I13', 'other text was streamed than stored', messages(3, { content: 'something else' })],
  ['I14', 'an ending has no webhook', deliveries('evt_2', null)],
  ['I14', 'a webhook reports another ending', deliveries('evt_2', { type: 'execution.failed' })],
  ['I14', 'a webhook is still pending', deliveries('evt_2', { status: 'pending' })],
  ['I14', 'a webhook came with another body', deliveries('evt_2', { body: 'changed' })],
  [
    'I14',
    'a webhook counts as delivered but was never taken',
    (world) => ({
      ...world,
      webhooks: world.webhooks.map((webhook) => ({ ...webhook, answeredWith: 500 })),
    }),
  ],
  ['I14', 'a webhook was given up', deliveries('evt_2', { status: 'exhausted' })],
  [
    'I15',
    'a signature is wrong',
    (world) => ({
      ...world,
      webhooks: world.webhooks.map((webhook) => ({ ...webhook, isSignatureValid: false })),
    }),
  ],
  ['I16', 'an answer was counted twice', bill({ responseId: 'r3' }, { responseId: 'r2' })],
  ['I16', 'other tokens were counted than were said', bill({ responseId: 'r3' }, { totalTokens: 31 })],
  ['I16', 'a round was not counted', inDatabase(({ usage }) => ({ usage: usage.slice(1) }))],
  ['I17', 'a call has no audit row', inDatabase(() => ({ runSteps: [] }))],
  [
    'I17',
    'an audit row has no outcome',
    inDatabase(({ runSteps }) => ({
      runSteps: runSteps.map((step) => ({ ...step, status: 'started', hasOutput: false })),
    })),
  ],
  [
    'I17',
    'an audit still runs after the ending',
    (world) =>
      execution('e1', { status: 'failed' })(
        inDatabase(({ runSteps }) => ({
          runSteps: runSteps.map((step) => ({ ...step, status: 'started' })),
        }))(world),
      ),
  ],
  ['I18', 'a secret was found', (world) => ({ ...world, leaks: ['API key in log api-1.log'] })],
  ['I19', 'a stranger was answered', (world) => ({ ...world, foreignReads: [200] })],
  ['I20', 'an execution ran long after its deadline', execution('e1', { finishedAt: 150_000 })],
  [
    'I21',
    'a call began after the cancellation was seen',
    journal({ executionId: 'e1', sequence: 1 }, { kind: 'cancellation_requested' }),
  ],
  [
    'I21',
    'a call began long after the cancellation was asked for',
    (world) => ({
      ...world,
      cancels: [{ executionId: 'e1', acknowledgedAt: -30_000 }],
    }),
  ],
  ['I22', 'the backlog never drained', (world) => ({ ...world, drainedAfterMs: null })],
  [
    'I22',
    'everything is slow afterwards',
    (world) => ({ ...world, calm: { ...world.calm, afterMs: [9_000] } }),
  ],
  ['I22', 'a process does not come up', (world) => ({ ...world, neverReady: ['worker-1'] })],
  ['I22', 'the backlog drained late', (world) => ({ ...world, drainedAfterMs: 100_000 })],
  ['I23', 'a process ended by itself', (world) => ({ ...world, unexpectedExits: ['worker-1: code 1'] })],
  [
    'I23',
    'a process grew',
    (world) => ({
      ...world,
      samples: [{ name: 'worker-1', residentBytes: 2 ** 30, descriptors: 60 }],
    }),
  ],
  [
    'I23',
    'a process forgot its sockets',
    (world) => ({ ...world, samples: world.samples.map((sample) => ({ ...sample, descriptors: 1_000 })) }),
  ],
  ['I23', 'a process does not end', (world) => ({ ...world, unresponsiveProcesses: ['worker-1'] })],
  ['I23', 'a transaction was forgotten', (world) => ({ ...world, longestIdleTransactionMs: 11_000 })],
  ['I23', 'the queue piled up', (world) => ({ ...world, leftInQueue: 10_000 })],
  [
    'I24',
    'others were begun first',
    inDatabase(({ claims, executions }) => ({
      claims: [
        ...Array.from({ length: 50 }, (_, index) => ({
          executionId: `other-${index}`,
          tenantId: 'neighbour',
          attempt: 1,
          owner: 'host-11#1',
          at: 200,
        })),
        ...claims,
      ],
      executions,
    })),
  ],
  ['I25', 'an unaffected execution failed', execution('e2', { status: 'failed', errorCode: 'POISONED' })],
  ['I25', 'an execution ended by its deadline', execution('e2', { status: 'incomplete' })],
  ['I25', 'an execution was cancelled by nobody', execution('e2', { status: 'cancelled' })],
  [
    'I25',
    'an execution completed that ends every process',
    (world) => ({ ...world, plan: world.plan.map((turn) => ({ ...turn, fate: 'poison' as const })) }),
  ],
  ['I26', 'an execution was attempted over and over', execution('e2', { attempt: 12 })],
  [
    'I26',
    'a round was asked again in one attempt',
    (world) => ({ ...world, modelRequests: [...world.modelRequests, ...world.modelRequests.slice(-1)] }),
  ],
  [
    'I26',
    'a client was sent away for long',
    (world) => ({
      ...world,
      submissions: world.submissions.map((one) => ({ ...one, firstTriedAt: -60_000 })),
    }),
  ],
  [
    'I26',
    'a webhook came over and over',
    (world) => ({ ...world, webhooks: world.webhooks.flatMap((one) => [one, one, one, one, one, one]) }),
  ],
  ['I27', 'most moments are exempt', (world) => ({ ...world, streamOutages: [{ from: 600, to: 1_200 }] })],
  ['I28', 'the answer to a lost attempt has no usage row', bill({ state: 'unknown' }, null)],
  ...SCOPE_BREAKAGES,
  ['I28', 'a row has fewer tokens than were counted', bill({ responseId: 'r2' }, { totalTokens: 19 })],
];

describe('the checks of a chaos run', () => {
  it('find nothing in a healthy world', () => {
    expect(checkWorld(healthyWorld())).toEqual([]);
  });

  it.each(BREAKAGES)('report %s when %s', (invariant, _what, breakIt) => {
    const found = checkWorld(breakIt(healthyWorld())).map((violation) => violation.invariant);
    expect(found).toContain(invariant);
  });

  it('are each seen to fail', () => {
    expect([...new Set(BREAKAGES.map(([invariant]) => invariant))]).toEqual(Object.keys(INVARIANTS));
  });
});
