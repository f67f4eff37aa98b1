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
import { findChatUsage } from './read-chat-usage.js';

/**
 * Decodes the chunks of one streamed chat completion, one at a time. Only the first choice counts; unknown fields are
 * ignored. The answer is whole once a chunk names why it ended; its usage may follow in a later chunk, or never.
 */
export class ChatStreamDecoder implements AnswerDecoder {
  private readonly text = new PartedText();
  private readonly thinking = new PartedText();
  private readonly calls = new GrowingCalls();
  private readonly details = new GrowingDetails();
  private reasoningField: ReasoningField = 'reasoning_content';
  private id: string | null = null;
  private model: string | null = null;
  private usage: JsonObject | null = null;
  private finishReason: string | null = null;
  private error: JsonObject | null = null;
  private characters = 0;
  private failure: ResponseEnding | null = null;
  private silenceIsNormal = true;

  get ending(): ResponseEnding | null {
    return this.failure ?? (this.isWhole && this.usage !== null ? this.end() : null);
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
    this.usage = findChatUsage(chunk) ?? this.usage;
    if (isJsonObject(chunk['error'])) this.fail(chunk['error']);
    const choice = readObjects(chunk, 'choices').find(({ index }) => index === 0 || index === undefined);
    if (choice === undefined) return [];
    if (isJsonObject(choice['error'])) this.error = choice['error'];
    const shown = this.grow(readObject(choice, 'delta'));
    const finishReason = readText(choice, 'finish_reason') ?? '';
    if (finishReason === '') return shown;
    this.finishReason ??= finishReason;
    return [...shown, ...show('thinking', this.thinking.end()), ...show('text', this.text.end())];
  }

  end(): ResponseEnding | null {
    if (this.failure !== null || this.finishReason === null) return this.failure;
    const thinking = toStorableText(this.thinking.toString());
    return endChat({
      id: this.id,
      model: this.model,
      text: toStorableText(this.text.toString()),
      reasoning: {
        field: this.reasoningField,
        text: thinking,
        details: this.details.end(),
        calls: this.calls.kept(),
      },
      calls: this.calls.end(),
      usage: this.usage,
      finishReason: this.finishReason,
      error: this.error,
    });
  }

  private grow(delta: JsonObject): readonly StreamedDelta[] {
    const thought = this.readReasoning(delta);
    for (const detail of readObjects(delta, 'reasoning_details'))
      this.countCharacters(this.details.push(detail));
    const content = readContent(delta['content']);
    const refusal = readText(delta, 'refusal') ?? '';
    const calls = readObjects(delta, 'tool_calls');
    if (content.text !== '' || refusal !== '' || calls.length > 0) this.silenceIsNormal = false;
    return [
      ...show('thinking', this.thinking.push('0', this.count(thought + content.thinking))),
      ...show('text', this.text.push('content', this.count(content.text))),
      ...show('text', this.text.push('refusal', this.count(refusal))),
      ...calls.flatMap((call) => this.growCall(call)),
    ];
  }

  private growCall(call: JsonObject): readonly StreamedDelta[] {
    const { isNew, characters } = this.calls.push(call);
    this.countCharacters(characters);
    return isNew ? [{ kind: 'tool_call' }] : [];
  }

  /** Servers that have two names for it send the same text under both. */
  private readReasoning(delta: JsonObject): string {
    const field = REASONING_FIELDS.find((name) => (readText(delta, name) ?? '') !== '');
    if (field === undefined) return '';
    this.reasoningField = field;
    return readText(delta, field) ?? '';
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

/** A text, or parts of it among which a model's thoughts may stand. */
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
