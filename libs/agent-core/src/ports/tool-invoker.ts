import type { JsonValue } from '#libs/kernel';
import type { DeliveredFile } from '../narration/narrator.js';
import type { CallPosition, ToolCallOutcome } from '../journal-entry.js';

export interface ToolInvocation extends CallPosition {
  readonly toolName: string;
  /** Checked against the tool's schema. */
  readonly input: JsonValue;
}

/** How a call ended, and what it made for the user. */
export interface ToolAnswer {
  readonly outcome: Exclude<ToolCallOutcome, { status: 'outcome_unknown' }>;
  readonly files: readonly DeliveredFile[];
}

/**
 * Runs one tool call and answers how it ended; exceptions of the tool are outcomes, not exceptions. Answers `null` when
 * that is not known: `signal` aborted it, or it is `unsafe` and did not answer in time. What follows is not decided here.
 */
export abstract class ToolInvoker {
  abstract invoke(invocation: ToolInvocation, signal: AbortSignal): Promise<ToolAnswer | null>;
}
