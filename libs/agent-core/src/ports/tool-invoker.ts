import type { JsonValue } from '#libs/kernel';
import type { DeliveredFile } from '../reporting/run-reporter.js';
import type { CallPosition, ToolCallOutcome } from '../journal-entry.js';
import type { ScopePath } from '../scopes/scope-path.js';

export interface ToolInvocation extends CallPosition {
  /** Of the loop that makes the call; with round and position it names the call for ever. */
  readonly scope: ScopePath;
  /** The provider's `call_id`. */
  readonly callId: string;
  readonly toolName: string;
  /** Checked against the tool's schema. */
  readonly input: JsonValue;
}

/** How a call ended, and what it made for the user. */
export interface ToolAnswer {
  readonly outcome: Exclude<ToolCallOutcome, { status: 'outcome_unknown' }>;
  readonly files: readonly DeliveredFile[];
}

/** An `unsafe` call of which nobody knows whether it took effect. */
export interface LostCall {
  readonly outcome: null;
  /** What was seen of it, e.g. that the connection broke: for the audit only. */
  readonly error: string;
}

/**
 * Runs one tool call and answers how it ended; exceptions of the tool are outcomes, not exceptions. Answers `null` when
 * `signal` aborted it. What follows from a call that is lost, or was aborted, is not decided here.
 */
export abstract class ToolInvoker {
  abstract invoke(invocation: ToolInvocation, signal: AbortSignal): Promise<ToolAnswer | LostCall | null>;
}
