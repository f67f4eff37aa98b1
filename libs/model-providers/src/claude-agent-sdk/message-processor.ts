import type { ModelDelta } from '#libs/agent-core';
import { isJsonObject } from '#libs/kernel';
import { MessagesStreamDecoder } from '../wire/messages/decode-messages-stream.js';
import type { RestoredAnswer } from '../wire/model-calls/restored-answer.js';
import { outputIdsOf, readEngineMessage, type ModelUsage, type ResultMessage } from './engine-message.js';
import { UsageMeter } from './usage-meter.js';

/** Consequence of a message for the call that waits. */
export type ProcessorStep =
  /** The session that the engine has opened. */
  | { readonly kind: 'opened'; readonly sessionId: string }
  | { readonly kind: 'deltas'; readonly deltas: readonly ModelDelta[] }
  /** The model wants tools, and the engine waits for their outputs. */
  | { readonly kind: 'answered'; readonly answer: RestoredAnswer }
  /** The conversation is answered; the engine expects the next question. */
  | { readonly kind: 'finished'; readonly answer: RestoredAnswer }
  /** The engine reports a failure: its word for it, and a text that may quote anything. */
  | { readonly kind: 'failed'; readonly word: string; readonly text: string }
  /** The engine goes on without the outputs of this service. */
  | { readonly kind: 'diverged' };

/**
 * Reads the messages of one conversation (S4-13, S4-21 … 27). An answer is what the model's stream said; the engine's
 * own summaries of it add nothing. Messages of sub-agents inside the engine belong to no answer.
 */
export class MessageProcessor {
  private decoder: MessagesStreamDecoder | null = null;
  private last: RestoredAnswer | null = null;
  private failure: { readonly word: string; readonly text: string } | null = null;
  private readonly expected = new Set<string>();
  private readonly meter = new UsageMeter();
  /** Messages of unknown types, as they came. */
  readonly unknown: unknown[] = [];

  /** Notes that the engine has asked this service for the output of this call. */
  outputAsked(callId: string): void {
    this.expected.add(callId);
  }

  push(value: unknown): ProcessorStep[] {
    const message = readEngineMessage(value);
    switch (message.kind) {
      case 'init':
        return [{ kind: 'opened', sessionId: message.sessionId }];
      case 'streamed':
        return isInner(message.message) ? [] : this.stream(message.message.event);
      case 'assistant': {
        const { error, message: said } = message.message;
        if (error === undefined || isInner(message.message)) return [];
        this.failure = { word: error, text: textOf(said.content) };
        return [];
      }
      case 'user': {
        if (isInner(message.message)) return [];
        const isOurs = outputIdsOf(message.message).every((id) => this.expected.has(id));
        return isOurs ? [] : [{ kind: 'diverged' }];
      }
      case 'result':
        return [this.end(message.message)];
      case 'unknown':
        if (this.unknown.length < MAX_UNKNOWN) this.unknown.push(message.message);
        return [];
    }
  }

  private stream(event: Readonly<Record<string, unknown>>): ProcessorStep[] {
    if (event['type'] === 'message_start') this.decoder = new MessagesStreamDecoder();
    const { decoder } = this;
    if (decoder === null) return [];
    const deltas = decoder.push(event);
    const shown: ProcessorStep[] = deltas.length === 0 ? [] : [{ kind: 'deltas', deltas }];
    if (event['type'] !== 'message_stop') return shown;
    this.decoder = null;
    const ending = decoder.end();
    if (ending === null || ending.kind === 'failed') return shown;
    this.last = ending.answer;
    this.meter.add(ending.answer);
    const { toolCalls, incompleteReason } = ending.answer;
    // The engine would ask for the rest of an answer that was cut short; that is for the loop to decide.
    if (incompleteReason !== null) return [...shown, { kind: 'finished', answer: ending.answer }];
    return toolCalls.length > 0 ? [...shown, { kind: 'answered', answer: ending.answer }] : shown;
  }

  private end(result: ResultMessage): ProcessorStep {
    const { last, failure } = this;
    if (failure !== null) return { kind: 'failed', ...failure };
    if (last !== null && !result.is_error)
      return { kind: 'finished', answer: this.withHidden(last, result.modelUsage) };
    const text = result.errors?.join('; ') ?? result.result ?? '';
    return { kind: 'failed', word: result.subtype, text };
  }

  private withHidden(answer: RestoredAnswer, all: Readonly<Record<string, ModelUsage>> = {}): RestoredAnswer {
    const hidden = this.meter.hidden(all);
    if (hidden === null || answer.usage === null) return answer;
    return { ...answer, usage: hidden(answer.usage) };
  }
}

const MAX_UNKNOWN = 100;

/** Whether a message belongs to a sub-agent inside the engine. */
function isInner({
  parent_tool_use_id: parent,
}: {
  readonly parent_tool_use_id?: string | null | undefined;
}) {
  return typeof parent === 'string';
}

function textOf(content: readonly unknown[]): string {
  return content
    .filter(isJsonObject)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}
