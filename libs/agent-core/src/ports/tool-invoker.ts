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
  readonly outcome: ToolCallOutcome;
  readonly files: readonly DeliveredFile[];
}

/**
 * Runs one tool call and answers how it ended; exceptions and timeouts of the tool are outcomes, not exceptions.
 * Answers `null` when `signal` aborted a call that may be repeated: nothing is known, and nothing needs to be.
 */
export abstract class ToolInvoker {
  abstract invoke(invocation: ToolInvocation, signal: AbortSignal): Promise<ToolAnswer | null>;
}
