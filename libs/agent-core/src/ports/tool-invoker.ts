import type { JsonValue } from '#libs/kernel';
import type { DeliveredFile } from '../reporting/run-reporter.js';
import type { CallPosition, ToolCallOutcome } from '../journal-entry.js';
import type { ScopePath } from '../scopes/scope-path.js';

export interface ToolInvocation extends CallPosition {
  /** Scope that makes the call; with round and position it identifies the call permanently. */
  readonly scope: ScopePath;
  /** The provider's `call_id`. */
  readonly callId: string;
  readonly toolName: string;
  /** Already validated against the tool's schema. */
  readonly input: JsonValue;
}

/** The outcome of a call, and the files it made for the user. */
export interface ToolAnswer {
  readonly outcome: Exclude<ToolCallOutcome, { status: 'outcome_unknown' }>;
  readonly files: readonly DeliveredFile[];
}

/** An `unsafe` call with an unknown outcome. */
export interface LostCall {
  readonly outcome: null;
  /** The observed error, e.g. a broken connection: for the audit only. */
  readonly error: string;
}

/**
 * Runs one tool call and returns its outcome; exceptions of the tool become outcomes. Returns `null` if `signal`
 * aborted the call. The loop decides how to go on after a lost or aborted call.
 */
export abstract class ToolInvoker {
  abstract invoke(invocation: ToolInvocation, signal: AbortSignal): Promise<ToolAnswer | LostCall | null>;
}
