import type { DatabaseLedger } from './database-ledger.js';

/** Times are Unix milliseconds of the one machine that everything runs on. */
type Time = number;

/** A call that the model was planned to ask for; `item` names it among all calls of a run. */
export interface PlannedCall {
  readonly item: string;
  readonly tool: string;
}

/**
 * Required ending of a turn despite all faults: a `poison` one ends every process that runs it and fails in the end, a
 * `refused` one is permanently refused by the model provider.
 */
export type Fate = 'completes' | 'poison' | 'refused';

/** The plan of one turn. */
export interface PlannedTurn {
  /** As in its `SubmissionRecord`. */
  readonly key: string;
  readonly fate: Fate;
  /** True if its client cancels it at some moment. */
  readonly isCancelled: boolean;
  readonly calls: readonly PlannedCall[];
  /** The number of requests to the model that fail by plan. */
  readonly modelFailures: number;
}

/** One request of the load client, with all answers to it. */
export interface SubmissionRecord {
  /** The `Idempotency-Key`; also the key of the model's script and the metadata `chaos_key`. */
  readonly key: string;
  readonly tenantId: string;
  /** Execution ids of all 2xx answers, in order; a second one is a repeat under the same key. */
  readonly acceptedAs: readonly string[];
  readonly acceptedAt: Time | null;
  readonly firstTriedAt: Time;
  /** The number of requests, repeats included. */
  readonly tries: number;
}

export interface CancelRecord {
  readonly executionId: string;
  readonly acknowledgedAt: Time;
}

/** The end of an execution as a client saw it. */
export interface ObservedEnding {
  readonly executionId: string;
  readonly status: string;
  readonly source: 'read' | 'event' | 'webhook' | 'wait';
}

export interface StreamedEvent {
  readonly id: number;
  /** The time of arrival at the client. */
  readonly at: Time;
  readonly event: string;
  /** Set in `text_delta` and `attempt_restarted` of the execution's own loop. */
  readonly round: number | null;
  /** Set in a `text_delta` of the execution's own loop. */
  readonly text: string | null;
}

/** One connection of a client that follows events. */
export interface StreamConnection {
  readonly afterId: number;
  readonly events: readonly StreamedEvent[];
}

export interface FollowerRecord {
  readonly executionId: string;
  /** In order; each one after the first resumes after the last event id that the client has seen. */
  readonly connections: readonly StreamConnection[];
  readonly endedAt: Time;
}

export interface ReceivedWebhook {
  readonly id: string;
  readonly tenantId: string;
  readonly body: string;
  readonly isSignatureValid: boolean;
  /** The status; null if the endpoint never answers. */
  readonly answeredWith: number | null;
}

/** A tool's request that reached the effect server. */
export interface CallRecord {
  readonly executionId: string;
  /**
   * `<execution>.<round>.<position>`, or `<execution>.<scope>:<round>.<position>`: the tool got it as its idempotency
   * key.
   */
  readonly callKey: string;
  readonly tool: string;
  /** The `item` of the `PlannedCall`. */
  readonly item: string;
  readonly at: Time;
  /** False for a repeat that the effect server recognised by its idempotency key. */
  readonly tookEffect: boolean;
  /** The process that sent it, and its parent: an isolated attempt is a child of its worker. */
  readonly pid: number;
  readonly parentPid: number;
}

/** A request that the model provider saw. */
export interface ModelRequestRecord {
  /** When it arrived. */
  readonly at: Time;
  readonly key: string | null;
  /** The loop that sent the request; `''` is the execution's own. */
  readonly scope: string;
  /** The round of its loop that it asks for, from 1. */
  readonly round: number;
  readonly status: number | null;
  readonly responseId: string | null;
  readonly isComplete: boolean;
  readonly totalTokens: number | null;
  /** The turns with an answer in the request, by key. */
  readonly knownAnswers: readonly string[];
  /** `call_id`s that have no output, or more than one, or outputs without a call. */
  readonly brokenPairs: readonly string[];
}

export interface TimeSpan {
  readonly from: Time;
  readonly to: Time;
}

export interface ProcessSample {
  readonly name: string;
  readonly residentBytes: number;
  /** Open files and sockets. */
  readonly descriptors: number;
}

/** A process that could not go on: it was frozen, asked to end, or has ended (`to` is null if for good). */
export interface ProcessStop {
  readonly name: string;
  readonly pid: number;
  readonly from: Time;
  readonly to: Time | null;
}

/** The time span of a fault, until it was undone. */
export interface Disturbance extends TimeSpan {
  readonly kind: string;
}

/** The run itself. */
export interface RunFrame extends TimeSpan {
  /** Milliseconds without a renewal after which another worker may take the execution over. */
  readonly leaseMs: number;
  /** Milliseconds that the backlog may take to drain after the last fault. */
  readonly drainLimitMs: number;
}

/** Everything recorded of one run, by the clients, the fakes and the database. */
export interface ChaosWorld {
  readonly run: RunFrame;
  readonly plan: readonly PlannedTurn[];
  readonly submissions: readonly SubmissionRecord[];
  readonly cancels: readonly CancelRecord[];
  readonly endings: readonly ObservedEnding[];
  readonly followers: readonly FollowerRecord[];
  readonly webhooks: readonly ReceivedWebhook[];
  readonly calls: readonly CallRecord[];
  readonly modelRequests: readonly ModelRequestRecord[];
  /** The HTTP statuses that a tenant got when it read another tenant's execution. */
  readonly foreignReads: readonly number[];
  readonly disturbances: readonly Disturbance[];
  /** The stops of all processes of the service, requested or not. */
  readonly stops: readonly ProcessStop[];
  /** Time spans in which live events may have been lost: their store was down, cut off or emptied. */
  readonly streamOutages: readonly TimeSpan[];
  /** Time spans without access to the database that outlast a lease, so that all leases expired. */
  readonly leaseOutages: readonly TimeSpan[];
  /** One span for each crash of the database, in which workers may act on commits that the crash lost. */
  readonly lostTails: readonly TimeSpan[];
  /**
   * Milliseconds from acceptance to the end of small executions, before the first fault and after the backlog had drained.
   */
  readonly calm: { readonly beforeMs: readonly number[]; readonly afterMs: readonly number[] };
  /** Milliseconds from the last fault until no work was open; null if some still was at the end of the wait. */
  readonly drainedAfterMs: number | null;
  /** Processes that did not come up after the last fault. */
  readonly neverReady: readonly string[];
  /** The leaked secrets, as `<what> in <where>`. */
  readonly leaks: readonly string[];
  readonly samples: readonly ProcessSample[];
  /** Processes that ended without a request after they had been ready. */
  readonly unexpectedExits: readonly string[];
  /** Processes that did not end when asked to. */
  readonly unresponsiveProcesses: readonly string[];
  /** The longest time that a transaction was seen idle. */
  readonly longestIdleTransactionMs: number;
  /** Jobs and keys left in the queue at the end. */
  readonly leftInQueue: number;
  readonly database: DatabaseLedger;
}
