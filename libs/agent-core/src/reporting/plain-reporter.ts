import type { RunnableCall } from '../decide-next-action.js';
import type { ToolCallState } from '../scope-state.js';
import type { ToolCallOutcome } from '../journal-entry.js';
import type { SkipReason } from '../pipelines/step-state.js';
import type { EventSink } from '../ports/event-sink.js';
import type { ModelDelta } from '../ports/model.js';
import type { DeliveredFile, RunReporter } from './run-reporter.js';
import { tellFiles, tellToolResult, tellToolUse } from './tool-events.js';

/** Emits everything at once: the model's unchanged text, calls and their results. */
export class PlainReporter implements RunReporter {
  private readonly begun = new Set<ToolCallState['callId']>();

  constructor(
    private readonly events: EventSink,
    private readonly attempt: number,
  ) {}

  modelCallBegins(): void {
    // No event before the model's first text.
  }

  delta(round: number, delta: ModelDelta): void {
    if (delta.kind === 'tool_call') return;
    const event = delta.kind === 'text' ? 'text_delta' : 'thinking';
    this.events.emit({ event, data: { content: delta.content, round } });
  }

  modelCallFails(round: number, isPartial: boolean): void {
    if (isPartial) this.events.emit({ event: 'attempt_restarted', data: { attempt: this.attempt, round } });
  }

  modelAnswers(): void {
    // The deltas already contain the answer.
  }

  callBegins(call: RunnableCall): void {
    this.begun.add(`${call.round}.${call.position}`);
    tellToolUse(this.events, call, call.input);
  }

  callEnds(call: ToolCallState, outcome: ToolCallOutcome, files: readonly DeliveredFile[]): void {
    // A refused call never began; subscribers still receive it.
    if (!this.begun.has(`${call.round}.${call.position}`)) tellToolUse(this.events, call, null);
    tellFiles(this.events, call.round, files);
    tellToolResult(this.events, call, outcome);
  }

  roundEnds(): void {
    // The next round begins with the model's next delta.
  }

  stepIsSkipped(step: string, because: SkipReason): void {
    this.events.emit({ event: 'step_skipped', data: { step, because } });
  }

  runEnds(): void {
    // The result event contains the outcome.
  }
}
