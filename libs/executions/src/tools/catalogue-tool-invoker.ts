import {
  callName,
  foreignMark,
  ProgressEvents,
  redactText,
  ToolInvoker,
  type LostCall,
  type StopReason,
  type ToolAnswer,
  type ToolInvocation,
} from '#libs/agent-core';
import { unlessAborted } from '#libs/concurrency';
import { pause, toStorableText, type Timers } from '#libs/kernel';
import {
  FAILED_CALL_TEXT,
  FAILED_FILE_TEXT,
  maxOutputBytesOf,
  mayHaveTakenEffect,
  PassingFailure,
  readToolReturn,
  retryTransient,
  unknownToolText,
  UNREADABLE_RETURN_TEXT,
  type ToolContext,
  type ToolDefinition,
  type ToolReading,
} from '#libs/tooling';
import type { RunLog } from '../ports/run-log.js';
import type { WorkspaceFiles } from '../ports/workspace-files.js';
import type { InvokerParts } from '../attempt/attempt-dependencies.js';
import { loggable } from '../attempt/loggable-error.js';
import { picturesOf } from './tool-pictures.js';
import { type ClaimOfTools, toToolRun } from './load-tools.js';

type SeenOutcome = Extract<ToolAnswer['outcome'], { status: 'succeeded' }>;

const MAX_ERROR = 2_000;
/** Maximum tries of a repeatable call within its time limit, after transient failures. */
const MAX_TRIES = 3;

/** Dependencies of tool invocations. */
export interface InvokerDependencies {
  readonly files: Pick<WorkspaceFiles, 'open'>;
  readonly timers: Timers;
  /** 0 ≤ random < 1. */
  readonly random: () => number;
  /** SHA-256 in hexadecimal. */
  readonly sha256: (text: string) => string;
  readonly logger: RunLog;
}

/** Runs the tools of the catalogue for one claimed execution. */
export class CatalogueToolInvoker extends ToolInvoker {
  constructor(
    private readonly claim: ClaimOfTools,
    private readonly parts: InvokerParts,
    private readonly deps: InvokerDependencies,
  ) {
    super();
  }

  override async invoke(
    invocation: ToolInvocation,
    signal: AbortSignal,
  ): Promise<ToolAnswer | LostCall | null> {
    const tool = this.parts.catalogue.find(invocation.toolName);
    if (!tool) return unknownTool(invocation.toolName);
    const late = new AbortController();
    const cancelTimeout = this.deps.timers.after(tool.timeoutMs, () => {
      late.abort(new DOMException('the tool took too long', 'TimeoutError'));
    });
    const stop = AbortSignal.any([signal, late.signal]);
    const progress = new ProgressEvents(this.parts.events, invocation);
    const running = this.start(tool, invocation, { signal: stop, events: progress });
    let returned: unknown;
    try {
      returned = await unlessAborted(running, stop, () => unanswered(tool));
    } catch (error) {
      const isUnsafe = tool.effect === 'unsafe';
      if (isUnsafe || isLeaseLost(signal)) this.keepLateAnswer(tool, invocation, running, stop);
      if (signal.aborted) return null;
      this.report(error, tool, 'tool failed');
      // An unsafe call that was asked to stop may have taken effect, even if it throws.
      if (isUnsafe && (stop.aborted || mayHaveTakenEffect(error)))
        return { outcome: null, error: describe(error) };
      return { outcome: failedWith(error), files: [] };
    } finally {
      cancelTimeout();
      progress.end();
    }
    return this.read(tool, returned);
  }

  /**
   * Retries repeatable calls after transient failures, within the call's time and under the same idempotency key; outside
   * it counts as one call. Each try gets a copy of the input, because the loop compares later calls with the original.
   * Async, so that a synchronous throw becomes a rejection.
   */
  private async start(
    tool: ToolDefinition,
    { input, scope, ...at }: ToolInvocation,
    call: Pick<ToolContext, 'signal' | 'events'>,
  ): Promise<unknown> {
    const run = toToolRun(this.claim, scope);
    const idempotencyKey = `${run.executionId}.${callName(scope, at)}`;
    const tries = retryTransient(
      async () => tool.run(structuredClone(input), { ...run, idempotencyKey, ...call }),
      {
        maxTries: tool.effect === 'unsafe' ? 1 : MAX_TRIES,
        signal: call.signal,
        wait: (ms, signal) => pause(this.deps.timers, ms, signal),
        random: this.deps.random,
        onRetry: (err) => {
          const what = { ...loggable(err, tool), tool: tool.name, executionId: run.executionId };
          this.deps.logger.warn(what, 'tool called again');
        },
      },
    );
    return tries.catch((error: unknown) => toLastAnswer(error, tool));
  }

  /** The tool returned, so a side effect has happened even if the return value is unreadable. */
  private async read(tool: ToolDefinition, returned: unknown): Promise<ToolAnswer> {
    let reading: ToolReading;
    let outcome: SeenOutcome;
    try {
      reading = readToolReturn(returned, maxOutputBytesOf(tool), tool.keeps);
      outcome = { ...toOutcome(reading), ...(tool.isForeign === true && this.markOf(reading)) };
    } catch (error) {
      this.report(error, tool, 'the return of a tool cannot be read');
      const outcome = tool.effect === 'unsafe' ? unreadable(error) : failedWith(error);
      return { outcome, files: [] };
    }
    try {
      const files = await this.deps.files.open(this.claim, reading.deliveries);
      const { pictures, note } = picturesOf(files, this.parts.nativeMedia);
      const output = outcome.output + note;
      return { outcome: { ...outcome, output, ...(pictures.length > 0 && { pictures }) }, files };
    } catch (error) {
      this.report(error, tool, 'the files of a tool cannot be had');
      return {
        outcome: { ...outcome, fault: describe(error) },
        files: [{ kind: 'text', text: FAILED_FILE_TEXT }],
      };
    }
  }

  /** Derived from the whole text, so that the text cannot contain the mark. */
  private markOf({ output }: ToolReading): Pick<SeenOutcome, 'foreign'> {
    return { foreign: foreignMark(this.deps.sha256(output)) };
  }

  private report(error: unknown, tool: ToolDefinition, what: string): void {
    const { executionId } = this.claim;
    this.deps.logger.error({ ...loggable(error, tool), tool: tool.name, executionId }, what);
  }

  /**
   * Records the answer of a tool that finishes after it was asked to stop; people can read it, but it decides nothing. A
   * late error is ignored. The process does not wait for the tool.
   */
  private keepLateAnswer(
    tool: ToolDefinition,
    { scope, round, position }: ToolInvocation,
    running: Promise<unknown>,
    stop: AbortSignal,
  ): void {
    if (!stop.aborted) return;
    const recordLateOutcomes = async (returned: unknown): Promise<void> => {
      const outcome = toOutcome(readToolReturn(returned, maxOutputBytesOf(tool), tool.keeps));
      await this.parts.lateOutcomes.recordLateOutcomes([{ scope, round, position, outcome }]);
    };
    running
      .then(recordLateOutcomes, () => undefined)
      .catch((err: unknown) => {
        const { executionId } = this.claim;
        const what = { ...loggable(err, tool), tool: tool.name, executionId };
        this.deps.logger.warn(what, 'late tool result not recorded');
      });
  }
}

/**
 * Returns the answer of the last try if its failure is certain; an unsafe call that may have taken effect throws instead.
 */
function toLastAnswer(error: unknown, tool: ToolDefinition): unknown {
  const isKnown = tool.effect !== 'unsafe' || !mayHaveTakenEffect(error);
  if (error instanceof PassingFailure && isKnown) return error.answer;
  throw error;
}

function unknownTool(toolName: string): ToolAnswer {
  return {
    outcome: { status: 'refused', reason: 'unknown_tool', output: unknownToolText(toolName) },
    files: [],
  };
}

function failedWith(error: unknown): ToolAnswer['outcome'] {
  return { status: 'failed', output: FAILED_CALL_TEXT, error: describe(error) };
}

function unreadable(error: unknown): ToolAnswer['outcome'] {
  const result = { status: 'success', result: { message: UNREADABLE_RETURN_TEXT } };
  return { status: 'succeeded', output: UNREADABLE_RETURN_TEXT, result, fault: describe(error) };
}

function toOutcome({ output, result, bake, staged, sources }: ToolReading): SeenOutcome {
  return {
    status: 'succeeded',
    output,
    result,
    ...(bake !== undefined && { baked: bake }),
    ...(staged.length > 0 && { staged }),
    ...(sources !== undefined && { sources }),
  };
}

function isLeaseLost(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === ('lease_lost' satisfies StopReason);
}

function unanswered({ name, timeoutMs }: ToolDefinition): Error {
  return new Error(`the tool "${name}" did not answer within ${timeoutMs} ms, or was asked to stop`);
}

/** Redacts the text, because errors may quote arguments, addresses, headers or keys. */
function describe(error: unknown): string {
  return redactText(toStorableText(textOf(error).slice(0, MAX_ERROR)));
}

/** Reading a thrown value may throw itself. */
function textOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'something that cannot be described';
  }
}
