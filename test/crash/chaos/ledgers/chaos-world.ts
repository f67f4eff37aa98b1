import type { DatabaseLedger } from './database-ledger.js';

/** Times are Unix milliseconds of the one machine that everything runs on. */
type Time = number;

/** A call that the model was planned to ask for; `item` names it among all calls of a run. */
export interface PlannedCall {
  readonly item: string;
  readonly tool: string;
}

/**
 * What has to become of a turn, however often everything around it breaks: a `pill` ends whatever process runs it, a
 * `refused` one is turned down by the model provider for good.
 */
export type Fate = 'completes' | 'pill' | 'refused';

/** What the plan says of one turn. */
export interface PlannedTurn {
  /** As in its `SubmissionRecord`. */
  readonly key: string;
  readonly fate: Fate;
  /** Its client asks for its end at some moment. */
  readonly isCancelled: boolean;
  readonly calls: readonly PlannedCall[];
  /** Requests to the model that fail by plan. */
  readonly modelFailures: number;
}

/** One request of the load client, with every answer that it got for it. */
export interface SubmissionRecord {
  /** The `Idempotency-Key`; also the key of the model's script and the metadata `chaos_key`. */
  readonly key: string;
  readonly tenantId: string;
  /** Execution ids of all 2xx answers, in order; a second one is a repeat under the same key. */
  readonly acceptedAs: readonly string[];
  readonly acceptedAt: Time | null;
  readonly firstTriedAt: Time;
  /** Requests that were sent for it. */
  readonly tries: number;
}

export interface CancelRecord {
  readonly executionId: string;
  readonly acknowledgedAt: Time;
}

/** A client has seen that an execution has ended. */
export interface ObservedEnding {
  readonly executionId: string;
  readonly status: string;
  readonly source: 'read' | 'event' | 'webhook' | 'wait';
}

export interface StreamedEvent {
  readonly id: number;
  /** When the client had it. */
  readonly at: Time;
  readonly event: string;
  /** Of `text_delta` and `attempt_restarted` of the execution's own loop. */
  readonly round: number | null;
  /** Of such a `text_delta`. */
  readonly text: string | null;
}

/** One connection of a client that follows events. */
export interface StreamConnection {
  readonly afterId: number;
  readonly events: readonly StreamedEvent[];
}

export interface FollowerRecord {
  readonly executionId: string;
  /** In order. Between two of them the client says the last id that it has seen. */
  readonly connections: readonly StreamConnection[];
  readonly endedAt: Time;
}

export interface ReceivedWebhook {
  readonly id: string;
  readonly tenantId: string;
  readonly body: string;
  readonly isSignatureValid: boolean;
  /** null: never. */
  readonly answeredWith: number | null;
}

/** A request of a tool that reached the outside world. */
export interface CallRecord {
  readonly executionId: string;
  /**
   * `<execution>.<round>.<position>`, or `<execution>.<scope>:<round>.<position>`: the tool got it as its idempotency
   * key.
   */
  readonly callKey: string;
  readonly tool: string;
  /** Of the `PlannedCall`. */
  readonly item: string;
  readonly at: Time;
  /** False where the other side knew the idempotency key. */
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
  /** Which loop of its turn has asked. */
  readonly scope: string;
  /** From 1: which answer of its loop it asks for. */
  readonly round: number;
  readonly status: number | null;
  readonly responseId: string | null;
  readonly isComplete: boolean;
  readonly totalTokens: number | null;
  /** The markers of earlier answers that the request holds. */
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

/** A process that could not go on: it was frozen for a while, or asked to end, or ended (for good: `to` is null). */
export interface ProcessStop {
  readonly name: string;
  readonly pid: number;
  readonly from: Time;
  readonly to: Time | null;
}

/** When something was done to the system, from its beginning until it was undone. */
export interface Disturbance extends TimeSpan {
  readonly kind: string;
}

/** The run itself. */
export interface RunFrame extends TimeSpan {
  /** Milliseconds; whoever is silent for so long may be overtaken. */
  readonly leaseMs: number;
  /** Milliseconds that the backlog may take to drain after the last fault. */
  readonly drainLimitMs: number;
}

/** Everything that was seen of one run: what the clients, the fakes and the database say. */
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
  /** Statuses that one tenant got when it asked for another's execution. */
  readonly foreignReads: readonly number[];
  readonly disturbances: readonly Disturbance[];
  /** Of every process of the service, whether it was made to or did so by itself. */
  readonly stops: readonly ProcessStop[];
  /** When live events may have been lost: their store was down, cut off or emptied. */
  readonly streamOutages: readonly TimeSpan[];
  /** When nobody could reach the database for longer than a lease lasts, so that all of them were over. */
  readonly leaseOutages: readonly TimeSpan[];
  /** A span for each crash of the database: what was committed in it without waiting for the disk may be gone. */
  readonly lostTails: readonly TimeSpan[];
  /** From acceptance to the end of small executions, before the first fault and after the backlog had drained. */
  readonly calm: { readonly beforeMs: readonly number[]; readonly afterMs: readonly number[] };
  /** From the last fault until nothing was open any more; null when something still was at the end of the wait. */
  readonly drainedAfterMs: number | null;
  /** Processes that did not come up after the last fault. */
  readonly neverReady: readonly string[];
  /** Where a secret was found: `<what> in <where>`. */
  readonly leaks: readonly string[];
  readonly samples: readonly ProcessSample[];
  /** Processes that were ready and then ended although nobody had asked them to. */
  readonly unexpectedExits: readonly string[];
  /** Processes that did not end when they were asked to. */
  readonly unresponsiveProcesses: readonly string[];
  /** The longest that a transaction was seen idle. */
  readonly longestIdleTransactionMs: number;
  /** Jobs and keys left in the queue at the end. */
  readonly leftInQueue: number;
  readonly database: DatabaseLedger;
}
