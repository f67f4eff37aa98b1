import type { EventSink, Journal, ToolInvoker } from '#libs/agent-core';
import type { Clock, Timers } from '#libs/kernel';
import type { ReadableMedia } from '#libs/payloads';
import type {
  CompileReader,
  IndexTools,
  LookUps,
  MessageDataSchemas,
  ToolCatalogue,
  ToolSource,
} from '#libs/tooling';
import type { AttachedRoom } from '../attachments/attached-room.js';
import type { AttachmentReader } from '../ports/attachment-reader.js';
import type { Claim, ClaimStore } from '../ports/claim-store.js';
import type { StoredFact } from '../ports/claimed-state.js';
import type { ContextStore } from '../ports/context-store.js';
import type { EventStream } from '../ports/event-stream.js';
import type { ExecutionMeter } from '../ports/execution-meter.js';
import type { LeaseHolder } from '../ports/lease-holder.js';
import type { ModelFactory } from '../ports/model-factory.js';
import type { RetryPolicy } from '../ports/retry-policy.js';
import type { RunLog } from '../ports/run-log.js';
import type { ClassifyStorageError } from '../ports/storage-failure.js';
import type { WorkspaceFiles } from '../ports/workspace-files.js';
import type { AgentUsecaseFactory } from '../runners/agent-usecase-factory.js';
import type { BackgroundReleases } from '../slots/background-releases.js';

/** Arguments of the tool invoker of one attempt. */
export interface InvokerParts {
  /** Tools that the run may call. */
  readonly catalogue: ToolCatalogue;
  readonly events: EventSink;
  /** Media types in tool results that the model reads without conversion. */
  readonly nativeMedia: readonly ReadableMedia[];
  readonly lateOutcomes: Pick<Journal, 'recordLateOutcomes'>;
}

export interface ToolSearch {
  /** Maximum tools described to the model; a run with more tools gets a tool search instead. */
  readonly mostListed: number;
  readonly indexTools: IndexTools;
}

/** Dependencies of one attempt at a claimed execution; the worker composes them. */
export interface AttemptDependencies {
  readonly claims: ClaimStore;
  readonly backgroundReleases: BackgroundReleases;
  readonly contexts: ContextStore;
  readonly leases: LeaseHolder;
  readonly tools: ToolSource;
  readonly invokerOf: (claim: Claim, parts: InvokerParts) => ToolInvoker;
  /**
   * Creates the journal of one claimed execution; transient storage failures are retried with `retries`. `clock` runs on
   * the store's time. Facts in `known` are not read again.
   */
  readonly journalOf: (
    claim: Claim,
    retries: RetryPolicy,
    clock: Pick<Clock, 'now'>,
    known: readonly StoredFact[] | null,
  ) => Journal;
  /** Limits for runs with many tools. */
  readonly toolSearch: ToolSearch;
  /** Compiles a JSON schema written by a tenant, which validates the answers of pipeline steps. */
  readonly compileSchema: CompileReader;
  readonly models: ModelFactory;
  /** Finds the runner of an agent's use case. */
  readonly usecases: Pick<AgentUsecaseFactory, 'runnerOf'>;
  readonly files: WorkspaceFiles;
  /** Reads the files attached to the request. */
  readonly attachments: AttachmentReader;
  /** Limits the attached bytes that this process holds at once. */
  readonly attachedRoom: AttachedRoom;
  readonly events: EventStream;
  /** Called after the result was emitted when the session of this settled execution has no title yet. */
  readonly onTitlePending: (executionId: string) => void;
  /** Selects the parts of a message's data that the model reads. */
  readonly messageData: Pick<MessageDataSchemas, 'shownToModel'>;
  /** Looks up records that message data refers to, for the model (S2-26). */
  readonly lookUps: LookUps;
  readonly classifyStorageError: ClassifyStorageError;
  /** SHA-256 in hexadecimal. */
  readonly sha256: (text: string) => string;
  readonly clock: Clock;
  readonly timers: Timers;
  /** 0 ≤ random < 1. */
  readonly random: () => number;
  readonly logger: RunLog;
  readonly meter: ExecutionMeter;
  /** Maximum time for retrying a failing store operation within one attempt, in milliseconds. */
  readonly leaseGraceMs: number;
}
