import { isJsonObject, toStorableText, type JsonObject } from '#libs/kernel';
import type { AnswerDecoder, StreamedDelta } from '../model-calls/answer-decoder.js';
import { MAX_ANSWER_CHARACTERS } from '../model-calls/answer-decoder.js';
import { PartedText } from '../model-calls/parted-text.js';
import { readObject, readObjects, readText } from '../model-calls/read-json.js';
import { failedEnding } from '../model-calls/failed-ending.js';
import type { ResponseEnding } from '../model-calls/restored-answer.js';
import { endChat } from './chat-ending.js';
import { REASONING_FIELDS, type ReasoningField } from './chat-reasoning.js';
import { GrowingCalls } from './growing-calls.js';
import { GrowingDetails } from './growing-details.js';
import { GrowingText } from './growing-text.js';
import { GrowingUsage } from './read-chat-usage.js';

/**
 * Decodes the chunks of one streamed chat completion. Only the first choice counts; unknown fields are ignored. The
 * answer is complete once a chunk has a finish reason; its usage may follow in a later chunk or never.
 */
export class ChatStreamDecoder implements AnswerDecoder {
  private readonly text = new PartedText();
  private readonly thinking = new PartedText();
  private readonly heard = {
    content: new GrowingText(),
    refusal: new GrowingText(),
    thinking: new GrowingText(),
  };
  private readonly calls = new GrowingCalls();
  private readonly details = new GrowingDetails();
  private reasoningField: ReasoningField = 'reasoning_content';
  private id: string | null = null;
  private model: string | null = null;
  private readonly usage = new GrowingUsage();
  private finishReason: string | null = null;
  private error: JsonObject | null = null;
  private characters = 0;
  private failure: ResponseEnding | null = null;
  private silenceIsNormal = true;
  private hasSingleCall = false;

  get ending(): ResponseEnding | null {
    return this.failure ?? (this.isWhole && this.usage.isWhole ? this.end() : null);
  }

  get isWhole(): boolean {
    return this.finishReason !== null;
  }

  get isReasoning(): boolean {
    return this.silenceIsNormal;
  }

  push(chunk: unknown): readonly StreamedDelta[] {
    if (this.failure !== null || !isJsonObject(chunk)) return [];
    this.id ??= readText(chunk, 'id') || null;
    this.model ??= readText(chunk, 'model') || null;
    this.usage.push(chunk);
    if (isJsonObject(chunk['error'])) this.fail(chunk['error']);
    const choice = readObjects(chunk, 'choices').find(
      ({ index }) => index === 0 || typeof index !== 'number',
    );
    if (choice === undefined) return [];
    if (isJsonObject(choice['error'])) this.error = choice['error'];
    const finishReason = readText(choice, 'finish_reason') ?? '';
    const isLast = finishReason !== '' || chunk['object'] === 'chat.completion';
    const shown = [
      ...this.grow(readObject(choice, 'delta')),
      ...this.complete(readObject(choice, 'message'), isLast),
    ];
    if (finishReason === '') return shown;
    this.finishReason ??= finishReason;
    return [...shown, ...show('thinking', this.thinking.end()), ...show('text', this.text.end())];
  }

  end(): ResponseEnding | null {
    if (this.failure !== null || this.finishReason === null) return this.failure;
    const { calls, dropped } = this.calls.end();
    const kept = calls.flatMap((call) =>
      Object.keys(call.kept).length > 0 ? [[call.id, call.kept] as const] : [],
    );
    return endChat({
      id: this.id,
      model: this.model,
      text: toStorableText(this.text.toString()),
      reasoning: {
        field: this.reasoningField,
        text: toStorableText(this.thinking.toString()),
        details: this.details.end(),
        calls: Object.fromEntries(kept),
      },
      calls: calls.map(({ kept: _kept, ...call }) => call),
      droppedCalls: dropped,
      usage: this.usage.reported,
      finishReason: this.finishReason,
      error: this.error,
    });
  }

  private grow(delta: JsonObject): readonly StreamedDelta[] {
    for (const detail of readObjects(delta, 'reasoning_details'))
      this.countCharacters(this.details.push(detail));
    const said = this.readSaid(delta);
    return [
      ...this.show({
        thinking: this.heard.thinking.push(said.thinking),
        content: this.heard.content.push(said.content),
        refusal: this.heard.refusal.push(said.refusal),
      }),
      ...this.callsOf(delta).flatMap((call) => this.announce(this.calls.push(call))),
    ];
  }

  /** A server may send a `message` instead of a delta, or the complete message after all deltas. */
  private complete(message: JsonObject, isLast: boolean): readonly StreamedDelta[] {
    if (Object.keys(message).length === 0) return [];
    if (this.details.isEmpty)
      for (const detail of readObjects(message, 'reasoning_details'))
        this.countCharacters(this.details.push(detail));
    const said = this.readSaid(message);
    return [
      ...this.show({
        thinking: this.heard.thinking.pushWhole(said.thinking, isLast),
        content: this.heard.content.pushWhole(said.content, isLast),
        refusal: this.heard.refusal.pushWhole(said.refusal, isLast),
      }),
      ...this.calls.pushWhole(this.callsOf(message)).flatMap((grown) => this.announce(grown)),
    ];
  }

  private show({ thinking, content, refusal }: Said): readonly StreamedDelta[] {
    if (content !== '' || refusal !== '') this.silenceIsNormal = false;
    return [
      ...show('thinking', this.thinking.push('0', this.count(thinking))),
      ...show('text', this.text.push('content', this.count(content))),
      ...show('text', this.text.push('refusal', this.count(refusal))),
    ];
  }

  /** Reads a single call from `function_call`, for servers without `tool_calls` or with both. */
  private callsOf(said: JsonObject): readonly JsonObject[] {
    const calls = isJsonObject(said['tool_calls']) ? [said['tool_calls']] : readObjects(said, 'tool_calls');
    const single = said['function_call'];
    if (calls.length > 0 || !isJsonObject(single)) return calls;
    this.hasSingleCall ||= this.calls.isEmpty;
    return this.hasSingleCall ? [{ function: single }] : [];
  }

  private announce({ isNew, characters }: { readonly isNew: boolean; readonly characters: number }) {
    this.silenceIsNormal = false;
    this.countCharacters(characters);
    return isNew ? [{ kind: 'tool_call' } as const] : [];
  }

  /** Servers with two field names for reasoning send the same text in both. */
  private readSaid(said: JsonObject): Said {
    const field = REASONING_FIELDS.find((name) => (readText(said, name) ?? '') !== '');
    if (field !== undefined) this.reasoningField = field;
    const { text, thinking } = readContent(said['content']);
    return {
      thinking: (field === undefined ? '' : (readText(said, field) ?? '')) + thinking,
      content: text,
      refusal: readText(said, 'refusal') ?? '',
    };
  }

  private count(text: string): string {
    return this.countCharacters(text.length) ? text : '';
  }

  private countCharacters(characters: number): boolean {
    this.characters += characters;
    if (this.characters <= MAX_ANSWER_CHARACTERS) return true;
    this.failure = failedEnding({ code: 'answer_too_large' });
    return false;
  }

  private fail({ code, message }: JsonObject): void {
    this.failure = failedEnding({ code, message });
  }
}

interface Said {
  readonly thinking: string;
  readonly content: string;
  readonly refusal: string;
}

/** Content is a text, or a list of parts that may include reasoning. */
function readContent(content: unknown): { readonly text: string; readonly thinking: string } {
  if (typeof content === 'string') return { text: content, thinking: '' };
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return { text: textsOf(parts, 'text'), thinking: parts.map(thoughtOf).join('') };
}

function thoughtOf(part: JsonObject): string {
  if (part['type'] !== 'thinking') return '';
  return readText(part, 'thinking') ?? textsOf(readObjects(part, 'thinking'), 'text');
}

function textsOf(parts: readonly JsonObject[], type: string): string {
  return parts.flatMap((part) => (part['type'] === type ? (readText(part, 'text') ?? '') : '')).join('');
}

function show(kind: 'text' | 'thinking', content: string): readonly StreamedDelta[] {
  return content === '' ? [] : [{ kind, content }];
}
