import type { Clock } from '#libs/kernel';
import type { RunReporter } from '../reporting/run-reporter.js';
import type { EventSink } from '../ports/event-sink.js';
import type { Journal } from '../ports/journal.js';
import type { ModelPort } from '../ports/model.js';
import type { ScopePlanner } from '../ports/scope-planner.js';
import type { ToolInvoker } from '../ports/tool-invoker.js';
import type { WaitNotice } from '../ports/wait-notice.js';

/** Everything outside that one execution touches. */
export interface LoopPorts {
  readonly journal: Journal;
  readonly model: ModelPort;
  readonly tools: ToolInvoker;
  readonly events: EventSink;
  readonly reporter: RunReporter;
  /** Plans the agents that are called inside. */
  readonly scopes: ScopePlanner;
  readonly clock: Clock;
  /** Shows what it waits for. */
  readonly waits: WaitNotice;
  /** Resolves after `ms` milliseconds or when `signal` aborts; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds until the deadline; only to plan by, the deadline itself comes by its signal. */
  remainingMs(): number;
  /** Milliseconds that there were until the deadline when the time of the execution last began. */
  readonly timeoutMs: number;
  /** 0 ≤ x < 1. */
  random(): number;
}
