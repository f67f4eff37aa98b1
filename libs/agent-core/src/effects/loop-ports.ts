import type { Clock } from '#libs/kernel';
import type { RunReporter } from '../reporting/run-reporter.js';
import type { EventSink } from '../ports/event-sink.js';
import type { FallbackModels } from '../ports/fallback-models.js';
import type { Journal } from '../ports/journal.js';
import type { ModelPort } from '../ports/model.js';
import type { ScopePlanner } from '../ports/scope-planner.js';
import type { ToolInvoker } from '../ports/tool-invoker.js';
import type { WaitNotice } from '../ports/wait-notice.js';

/** The ports through which an execution reaches the outside. */
export interface LoopPorts {
  readonly journal: Journal;
  readonly model: Pick<ModelPort, 'call'>;
  /** Absent without fallbacks. */
  readonly fallbacks?: FallbackModels;
  readonly tools: ToolInvoker;
  readonly events: EventSink;
  readonly reporter: RunReporter;
  /** Plans the scopes of sub-agents. */
  readonly scopes: ScopePlanner;
  readonly clock: Clock;
  /** Shows clients the waits of the execution. */
  readonly waits: WaitNotice;
  /** Resolves after `ms` milliseconds or when `signal` aborts; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds until the deadline, for planning only: the deadline itself arrives as an abort signal. */
  remainingMs(): number;
  /** Milliseconds until the deadline when the execution's clock last started. */
  readonly timeoutMs: number;
  /** 0 ≤ x < 1. */
  random(): number;
}
