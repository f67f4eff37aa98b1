import {
  callName,
  NO_AGENTS,
  PlainReporter,
  ToolInvoker,
  type LoopPorts,
  type LoopRules,
  type LoopSignals,
  type ModelPort,
  type ScopePlanner,
  type StopReason,
  type ToolAnswer,
  type ToolInvocation,
} from '#libs/agent-core';
import { RecordingWaits } from './recording-waits.js';
import type { OnUnknown, ToolEffect } from '#libs/tooling';
import { InMemoryJournal } from './in-memory-journal.js';
import { RecordingSink } from './recording-sink.js';

type ToolOutcome = ToolAnswer['outcome'];

/** Counts how often each call ran, and answers `ok <tool>`. */
class CountingTools extends ToolInvoker {
  readonly runs = new Map<string, number>();
  onRun: (invocation: ToolInvocation) => ToolOutcome | null | Promise<ToolOutcome | null> = (invocation) =>
    succeeded(`ok ${invocation.toolName}`);

  constructor(private readonly assertAlive: () => void) {
    super();
  }

  override async invoke(invocation: ToolInvocation): Promise<ToolAnswer | null> {
    this.assertAlive();
    const key = callName(invocation.scope, invocation);
    this.runs.set(key, (this.runs.get(key) ?? 0) + 1);
    await Promise.resolve();
    const outcome = await this.onRun(invocation);
    return outcome && { outcome, files: [] };
  }
}

export function succeeded(
  output: string,
  extra: Partial<Extract<ToolOutcome, { status: 'succeeded' }>> = {},
): ToolOutcome {
  return {
    status: 'succeeded',
    output,
    result: { status: 'success', result: { message: output } },
    ...extra,
  };
}

const EFFECTS: Readonly<Record<string, ToolEffect>> = {
  search: 'read',
  upsert: 'idempotent',
  charge: 'unsafe',
};

export function rulesOf(overrides: Partial<LoopRules> = {}, onUnknown: OnUnknown = 'halt'): LoopRules {
  return {
    maximumIterations: 6,
    maxModelRetries: 1,
    maxParallelToolCalls: 8,
    changedTools: new Set(),
    forward: (call) => call,
    evaluate: (call) => {
      const effect = EFFECTS[call.toolName];
      return effect
        ? { kind: 'run', effect, input: {}, onUnknown }
        : { kind: 'refuse', reason: 'unknown_tool', output: `there is not a tool named ${call.toolName}` };
    },
    asksAfterForeignContent: false,
    budget: { total_tokens: null, cost: null, rounds: null },
    visibleText: (text) => text,
    countTokens: ({ content }) => ({ count: content.length, tokenizer: 'characters' }),
    prices: null,
    costOf: () => null,
    ...overrides,
  };
}

export class LoopWorld {
  readonly journal = new InMemoryJournal();
  readonly tools = new CountingTools(() => {
    this.journal.assertAlive();
  });
  readonly events = new RecordingSink();
  readonly drain = new AbortController();
  readonly abort = new AbortController();
  readonly waits: number[] = [];
  readonly notices = new RecordingWaits();
  now = 0;
  timeoutMs = 300_000;
  remainingMs = this.timeoutMs;

  constructor(
    readonly model: ModelPort,
    private readonly scopes: ScopePlanner = NO_AGENTS,
  ) {}

  get ports(): LoopPorts {
    return {
      journal: this.journal,
      model: this.mortalModel(),
      tools: this.tools,
      events: this.events,
      reporter: new PlainReporter(this.events, 1),
      scopes: this.scopes,
      clock: { now: () => this.now, monotonic: () => this.now },
      waits: this.notices,
      wait: (ms) => {
        this.waits.push(ms);
        return Promise.resolve();
      },
      remainingMs: () => this.remainingMs,
      timeoutMs: this.timeoutMs,
      random: () => 0,
    };
  }

  /** The model of a worker that cannot call it once it has died. */
  private mortalModel(): ModelPort {
    return {
      call: async (...call) => {
        this.journal.assertAlive();
        return this.model.call(...call);
      },
    };
  }

  get signals(): LoopSignals {
    return { drain: this.drain.signal, abort: this.abort.signal };
  }

  stop(reason: StopReason): void {
    this.abort.abort(reason);
  }
}
