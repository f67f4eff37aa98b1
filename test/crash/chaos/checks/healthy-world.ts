import { WATCHED_TOOLS } from '../../programs/watched-tools.js';
import type { ChaosWorld, PlannedTurn } from '../ledgers/chaos-world.js';
import type { DatabaseLedger, ExecutionRow, JournalRow, RunStepRow } from '../ledgers/database-ledger.js';

/**
 * A world in which every promise is kept: two turns of one conversation, the first with one charge and the second without a
 * call, and one turn of another conversation in which the agent calls another agent.
 */
export function healthyWorld(): ChaosWorld {
  return {
    run: { from: 0, to: 2_000, leaseMs: 1_000, drainLimitMs: 60_000 },
    plan: [
      { ...planned('k1'), calls: [{ item: 'i1', tool: WATCHED_TOOLS.unsafe }], modelFailures: 0 },
      planned('k2'),
      { ...planned('k3'), calls: [{ item: 'i3', tool: WATCHED_TOOLS.idempotent }] },
    ],
    submissions: [
      { key: 'k1', tenantId: 'default', acceptedAs: ['e1', 'e1'], firstTriedAt: 0, acceptedAt: 10, tries: 2 },
      { key: 'k2', tenantId: 'default', acceptedAs: ['e2'], firstTriedAt: 15, acceptedAt: 20, tries: 1 },
      { key: 'k3', tenantId: 'default', acceptedAs: ['e3'], firstTriedAt: 15, acceptedAt: 20, tries: 1 },
    ],
    cancels: [],
    endings: [{ executionId: 'e1', status: 'completed', source: 'read' }],
    followers: [
      {
        executionId: 'e1',
        connections: [
          { afterId: 0, events: [event(1, 'status'), event(2, 'text_delta', 1, 'half')] },
          {
            afterId: 2,
            events: [
              event(3, 'attempt_restarted', 1),
              event(4, 'text_delta', 2, 'answer-to:'),
              event(5, 'text_delta', 2, 'k1'),
              event(6, 'result'),
            ],
          },
        ],
        endedAt: 2_000,
      },
    ],
    webhooks: [
      { id: 'evt_1', tenantId: 'default', body: 'one', isSignatureValid: true, answeredWith: 500 },
      { id: 'evt_1', tenantId: 'default', body: 'one', isSignatureValid: true, answeredWith: 204 },
      { id: 'evt_2', tenantId: 'default', body: 'two', isSignatureValid: true, answeredWith: 204 },
      { id: 'evt_3', tenantId: 'default', body: 'three', isSignatureValid: true, answeredWith: 204 },
    ],
    calls: [
      {
        executionId: 'e1',
        callKey: 'e1.1.0',
        tool: WATCHED_TOOLS.unsafe,
        item: 'i1',
        at: 600,
        tookEffect: true,
        pid: 11,
        parentPid: 1,
      },
      {
        executionId: 'e3',
        callKey: 'e3.1.0:1.0',
        tool: WATCHED_TOOLS.idempotent,
        item: 'i3',
        at: 600,
        tookEffect: true,
        pid: 12,
        parentPid: 1,
      },
    ],
    modelRequests: [
      asked('k1', 1, 'r1', 10, []),
      // The worker was killed before it could store the usage of this answer.
      asked('k1', 2, 'r2-lost', 20, []),
      asked('k1', 2, 'r2', 20, []),
      asked('k2', 1, 'r3', 30, ['k1']),
      asked('k3', 1, 'r4', 7, []),
      { ...asked('k3', 1, 'r5', 8, []), scope: '1.0' },
      { ...asked('k3', 2, 'r6', 9, []), scope: '1.0' },
      asked('k3', 2, 'r7', 10, []),
    ],
    foreignReads: [404],
    disturbances: [{ kind: 'kill', from: 650, to: 660 }],
    stops: [{ name: 'worker-1', pid: 11, from: 650, to: null }],
    streamOutages: [],
    leaseOutages: [],
    lostTails: [],
    calm: { beforeMs: [100, 200], afterMs: [150, 250] },
    drainedAfterMs: 1_000,
    neverReady: [],
    leaks: [],
    samples: [{ name: 'worker-1', residentBytes: 200 * 2 ** 20, descriptors: 60 }],
    unexpectedExits: [],
    unresponsiveProcesses: [],
    longestIdleTransactionMs: 3,
    leftInQueue: 5,
    database: healthyDatabase(),
  };
}

function healthyDatabase(): DatabaseLedger {
  return {
    executions: [
      execution('e1', 'k1', 1, 30),
      { ...execution('e2', 'k2', 2, 30), attempt: 1 },
      { ...execution('e3', 'k3', 1, 34), sessionId: 's2', attempt: 1, lostAttempts: 0 },
    ],
    journal: [
      { ...entry('e1', 1, 1, 'model_call_completed'), round: 1, responseId: 'r1', calls: 1 },
      { ...entry('e1', 2, 1, 'tool_call_started'), round: 1, position: 0, createdAt: 500 },
      { ...entry('e1', 3, 2, 'tool_call_settled'), round: 1, position: 0, outcome: 'succeeded' },
      { ...entry('e1', 4, 2, 'model_call_completed'), round: 2, responseId: 'r2' },
      entry('e1', 5, 2, 'execution_settled'),
      { ...entry('e2', 1, 2, 'model_call_completed'), round: 1, responseId: 'r3' },
      entry('e2', 2, 2, 'execution_settled'),
      { ...entry('e3', 1, 1, 'model_call_completed'), round: 1, responseId: 'r4', calls: 1 },
      { ...entry('e3', 2, 1, 'tool_call_started'), round: 1, position: 0 },
      { ...inside(3, 'scope_opened') },
      { ...inside(4, 'model_call_completed'), round: 1, responseId: 'r5', calls: 1 },
      { ...inside(5, 'tool_call_started'), round: 1, position: 0 },
      { ...inside(6, 'tool_call_settled'), round: 1, position: 0, outcome: 'succeeded' },
      { ...inside(7, 'model_call_completed'), round: 2, responseId: 'r6' },
      inside(8, 'scope_settled'),
      { ...entry('e3', 9, 1, 'tool_call_settled'), round: 1, position: 0, outcome: 'succeeded' },
      { ...entry('e3', 10, 1, 'model_call_completed'), round: 2, responseId: 'r7' },
      entry('e3', 11, 1, 'execution_settled'),
    ],
    runSteps: [
      {
        executionId: 'e1',
        scope: '',
        round: 1,
        position: 0,
        toolName: WATCHED_TOOLS.unsafe,
        status: 'succeeded',
        hasOutput: true,
      },
      step('e3', '', 'helper'),
      step('e3', '1.0', WATCHED_TOOLS.idempotent),
    ],
    usage: [
      bill('e1', 1, 'r1', 10),
      bill('e1', 2, null, null),
      bill('e1', 2, 'r2', 20),
      bill('e2', 1, 'r3', 30),
      bill('e3', 1, 'r4', 7),
      { ...bill('e3', 1, 'r5', 8), scope: '1.0' },
      { ...bill('e3', 2, 'r6', 9), scope: '1.0' },
      bill('e3', 2, 'r7', 10),
    ],
    messages: [
      message(1, 'e1', 1, 0, 'system'),
      message(2, 'e1', 1, 1, 'user'),
      message(3, 'e1', 1, 2, 'assistant', 'answer-to:k1'),
      message(4, 'e2', 2, 0, 'user'),
      message(5, 'e2', 2, 1, 'assistant', 'answer-to:k2'),
      { ...message(6, 'e3', 1, 0, 'user'), sessionId: 's2' },
      { ...message(7, 'e3', 1, 1, 'assistant', 'answer-to:k3'), sessionId: 's2' },
    ],
    deliveries: [
      delivery('evt_1', 'e1', 'one'),
      delivery('evt_2', 'e2', 'two'),
      delivery('evt_3', 'e3', 'three'),
    ],
    claims: [
      claim('e1', 1, 11, 300),
      claim('e1', 2, 12, 700),
      claim('e2', 1, 12, 1_000),
      claim('e3', 1, 12, 300),
    ],
    tenantsWithEndpoint: ['default'],
  };
}

function event(id: number, name: string, round: number | null = null, text: string | null = null) {
  return { id, event: name, round, text, at: 500 + id };
}

function planned(key: string): PlannedTurn {
  return { key, fate: 'completes', isCancelled: false, calls: [], modelFailures: 0 };
}

function claim(executionId: string, attempt: number, pid: number, at: number) {
  return { executionId, tenantId: 'default', attempt, owner: `host-${pid}#1`, at };
}

function asked(
  key: string,
  round: number,
  responseId: string,
  totalTokens: number,
  knownAnswers: readonly string[],
) {
  return {
    at: 550,
    key,
    scope: '',
    round,
    status: 200,
    responseId,
    isComplete: true,
    totalTokens,
    knownAnswers,
    brokenPairs: [],
  };
}

function execution(id: string, key: string, turnNumber: number, totalTokens: number): ExecutionRow {
  return {
    id,
    tenantId: 'default',
    sessionId: 's1',
    turnNumber,
    status: 'completed',
    attempt: 2,
    lostAttempts: 1,
    epoch: 2,
    errorCode: null,
    totalTokens,
    key,
    createdAt: 0,
    startedAt: 100,
    finishedAt: 1_000,
    deadlineAt: 60_100,
  };
}

function entry(executionId: string, sequence: number, epoch: number, kind: string): JournalRow {
  const nothing = { round: null, position: null, outcome: null, responseId: null, calls: 0 };
  return { executionId, sequence, epoch, scope: '', kind, createdAt: 400, ...nothing };
}

/** A fact of the agent that the third execution calls. */
function inside(sequence: number, kind: string): JournalRow {
  return { ...entry('e3', sequence, 1, kind), scope: '1.0' };
}

function step(executionId: string, scope: string, toolName: string): RunStepRow {
  return { executionId, scope, round: 1, position: 0, toolName, status: 'succeeded', hasOutput: true };
}

/** A usage row; without a response id it is the row of a lost attempt. */
function bill(executionId: string, round: number, responseId: string | null, totalTokens: number | null) {
  const state = responseId === null ? 'unknown' : 'known';
  return { executionId, purpose: 'round', scope: '', round, state, responseId, totalTokens };
}

function message(
  id: number,
  executionId: string,
  turnNumber: number,
  ordinal: number,
  role: string,
  content = '',
) {
  return { id, sessionId: 's1', executionId, turnNumber, ordinal, role, content };
}

function delivery(id: string, executionId: string, body: string) {
  const [tenantId, type, status] = ['default', 'execution.completed', 'delivered'];
  return { id, tenantId, executionId, type, body, status, attemptCount: 1 };
}
