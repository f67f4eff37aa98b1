import { isJsonObject, steadyTime, toStorableJson, type Clock, type JsonValue } from '#libs/kernel';
import { argumentsOf } from '../call-arguments.js';
import type { RunnableCall } from '../decide-next-action.js';
import { TEXT_AFTER_TOOL_CALLS, type DisplayMessage, visibleResponse } from '../display/display-message.js';
import { displayDelta, endDisplay, startDisplay, type DisplayState } from '../display/display-stream.js';
import { displayWholeRound } from '../display/display-whole-round.js';
import { shownOutcome } from '../display/shown-call.js';
import { endedInError } from '../error-answer.js';
import type { RoundState, ToolCallState } from '../scope-state.js';
import type { ExecutionOutcome, ToolCallOutcome } from '../journal-entry.js';
import type { SkipReason } from '../pipelines/step-state.js';
import type { EventSink } from '../ports/event-sink.js';
import type { ModelDelta } from '../ports/model.js';
import { finishLog, type LogData, logId } from '../tracking/log-data.js';
import {
  finishCallLog,
  finishRoundLog,
  finishThoughtLog,
  startCallLog,
  startRoundLog,
  startThoughtLog,
  type Usage,
} from '../tracking/round-logs.js';
import { describeToolResponse, type ToolResponse, describeCallEnding } from '../tracking/tool-response.js';
import type { DeliveredFile, RunReporter } from './run-reporter.js';
import { tellFiles, tellToolResult, tellToolUse } from './tool-events.js';

export interface StrategyReportOptions {
  readonly executionId: string;
  readonly attempt: number;
  readonly model: string;
  readonly provider: string;
  readonly isStreamed: boolean;
  readonly emitIntermediateThoughts: boolean;
  readonly maximumIterations: number;
  readonly usageOf: (round: RoundState) => Usage;
}

/**
 * Emits a run as its strategy specifies (S0-8, S0-23 … S0-30): text by the display rules, logs of rounds, thoughts and
 * calls. Hidden text never reaches the stream.
 */
export class StrategyReporter implements RunReporter {
  private display: DisplayState | null = null;
  /** Whether any text of the round's answer was streamed. */
  private hasHeardText = false;
  private readonly logs = new Map<string, LogData>();
  private readonly unfinished = new Set<string>();
  private readonly inputs = new Map<string, JsonValue>();
  private readonly responses = new Map<string, ToolResponse>();
  private readonly now: () => number;

  constructor(
    private readonly events: EventSink,
    clock: Clock,
    private readonly run: StrategyReportOptions,
  ) {
    this.now = steadyTime(clock);
  }

  modelCallBegins(round: number): void {
    const { executionId, model, provider, isStreamed } = this.run;
    const startedAt = this.now();
    const id = logId(executionId, roundPath(round));
    this.begin(roundPath(round), startRoundLog({ id, number: round, startedAt }));
    const thought = { id: logId(executionId, thoughtPath(round)), roundId: id, model, provider, startedAt };
    this.begin(thoughtPath(round), startThoughtLog(thought));
    this.display = isStreamed ? startDisplay(this.rulesOf(round)) : null;
    this.hasHeardText = false;
  }

  delta(round: number, delta: ModelDelta): void {
    if (this.display === null) return;
    if (delta.kind === 'text') this.hasHeardText = true;
    const { state, messages } = displayDelta(this.display, delta);
    this.display = state;
    this.show(round, messages);
  }

  modelCallFails(round: number, isPartial: boolean): void {
    if (isPartial)
      this.events.emit({ event: 'attempt_restarted', data: { attempt: this.run.attempt, round } });
  }

  modelAnswers(round: RoundState): void {
    const { text, thinking, toolCalls } = round.answer;
    const toolNames = toolCalls.map((call) => call.toolName);
    const parts = text === '' ? [] : [text];
    // A refusal is not streamed, and some servers send their text only at the end.
    if (!this.hasHeardText) this.delta(round.number, { kind: 'text', content: text });
    const rules = this.rulesOf(round.number);
    const messages =
      this.display === null
        ? displayWholeRound({ parts, thinking, toolNames }, rules)
        : endDisplay(this.display, toolNames);
    this.show(round.number, messages);
    const response = this.visible(round);
    this.finish(thoughtPath(round.number), (start) =>
      finishThoughtLog(start, {
        ...this.endedWell(),
        response,
        calls: toolCalls,
        usage: this.run.usageOf(round),
      }),
    );
  }

  callBegins(call: RunnableCall): void {
    this.inputs.set(callPath(call), call.input);
    this.beginCall(call, 'builtin');
    tellToolUse(this.events, call, call.input);
  }

  callEnds(call: ToolCallState, outcome: ToolCallOutcome, files: readonly DeliveredFile[]): void {
    const path = callPath(call);
    if (!this.logs.has(path)) {
      this.beginCall(call, '');
      tellToolUse(this.events, call, null);
    }
    tellFiles(this.events, call.round, files);
    tellToolResult(this.events, call, outcome);
    const toolResponse = this.describe(call, outcome, this.inputs.get(path) ?? {});
    this.responses.set(path, toolResponse);
    const error = endedInError(outcome) ? shownOutcome(outcome).output : null;
    this.finish(path, (start) => finishCallLog(start, { finishedAt: this.now(), error, toolResponse }));
  }

  roundEnds(round: RoundState): void {
    if (round.calls.length > 0) this.say(round.number, TEXT_AFTER_TOOL_CALLS);
    const toolResponses = round.calls.flatMap((call) => this.responseOf(call) ?? []);
    const response = this.visible(round);
    this.finish(roundPath(round.number), (start) =>
      finishRoundLog(start, { ...this.endedWell(), response, toolResponses, usage: this.run.usageOf(round) }),
    );
    // With a limit of one round, the outputs of its calls are the answer (3.B-4).
    if (this.run.maximumIterations === 1)
      for (const call of round.calls) this.say(round.number, call.outcome?.output ?? '');
  }

  /**
   * The response of a call, null while the call is open. Calls that another worker ran, e.g. before a person's
   * decision, are included.
   */
  private responseOf(call: ToolCallState): ToolResponse | null {
    const known = this.responses.get(callPath(call));
    if (known || call.outcome === null) return known ?? null;
    const written = argumentsOf(call);
    return this.describe(call, call.outcome, written.success ? written.data : {});
  }

  private describe(call: ToolCallState, outcome: ToolCallOutcome, input: JsonValue): ToolResponse {
    return describeToolResponse(call, describeCallEnding(shownOutcome(outcome), input));
  }

  stepIsSkipped(step: string, because: SkipReason): void {
    this.events.emit({ event: 'step_skipped', data: { step, because } });
  }

  runEnds(outcome: ExecutionOutcome): void {
    const error = outcome.status === 'failed' ? outcome.error.message : 'the execution ended before this did';
    // Ends logs in reverse order, so that a part never outlives its parent.
    for (const path of [...this.unfinished].reverse()) {
      this.finish(path, (start) => finishLog(start, { finishedAt: this.now(), error, data: {} }));
    }
  }

  private rulesOf(round: number) {
    const { emitIntermediateThoughts, maximumIterations } = this.run;
    return { emitIntermediateThoughts, isLastRound: round >= maximumIterations };
  }

  private visible(round: RoundState): string {
    return visibleResponse(round.answer.text, {
      ...this.rulesOf(round.number),
      hasToolCalls: round.calls.length > 0,
    });
  }

  private show(round: number, messages: readonly DisplayMessage[]): void {
    for (const message of messages) {
      if (message.kind === 'thinking')
        this.events.emit({ event: 'thinking', data: { content: message.text, round } });
      else this.say(round, message.text);
    }
  }

  private say(round: number, content: string): void {
    if (content !== '') this.events.emit({ event: 'text_delta', data: { content, round } });
  }

  private beginCall(call: ToolCallState, provider: string): void {
    const { executionId } = this.run;
    const roundId = logId(executionId, roundPath(call.round));
    const id = logId(executionId, callPath(call));
    this.begin(
      callPath(call),
      startCallLog({ id, roundId, toolName: call.toolName, provider, startedAt: this.now() }),
    );
  }

  /** Begins a log, but emits it only once, also after a failed try or a takeover. */
  private begin(path: string, log: LogData): void {
    if (this.logs.has(path)) return;
    this.logs.set(path, log);
    this.unfinished.add(path);
    this.emitLog(log);
  }

  private finish(path: string, finishing: (start: LogData) => LogData): void {
    const start = this.logs.get(path) ?? this.startOfAnotherWorker(path);
    this.unfinished.delete(path);
    this.emitLog(finishing(start));
  }

  private emitLog(log: LogData): void {
    const data = toStorableJson(log.data);
    const metadata = toStorableJson(log.metadata);
    const asObject = (value: JsonValue) => (isJsonObject(value) ? value : {});
    this.events.emit({ event: 'log', data: { ...log, data: asObject(data), metadata: asObject(metadata) } });
  }

  /** Restarts the log of a lost worker: same id, with the current time as its start. */
  private startOfAnotherWorker(path: string): LogData {
    const startedAt = this.now();
    const id = logId(this.run.executionId, path);
    return startRoundLog({ id, number: Number(path.split('/')[1] ?? 0), startedAt });
  }

  private endedWell(): { readonly finishedAt: number; readonly error: null } {
    return { finishedAt: this.now(), error: null };
  }
}

const roundPath = (round: number): string => `round/${round}`;
const thoughtPath = (round: number): string => `round/${round}/thought`;
const callPath = (call: ToolCallState): string => `round/${call.round}/call/${call.position}`;
