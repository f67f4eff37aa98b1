import { isJsonObject, type JsonObject } from '#libs/kernel';
import {
  MAX_ANSWER_CHARACTERS,
  type AnswerDecoder,
  type StreamedDelta,
} from '../model-calls/answer-decoder.js';
import { failedEnding } from '../model-calls/failed-ending.js';
import { PartedText } from '../model-calls/parted-text.js';
import { readObject, readObjects, readText } from '../model-calls/read-json.js';
import type { ResponseEnding } from '../model-calls/restored-answer.js';
import { GrowingBlock } from './growing-block.js';
import { endMessage, reportedBy } from './messages-ending.js';
import { GrowingMessagesUsage } from './messages-usage.js';

/** Maximum blocks of one answer, far above the needs of a model. */
const MAX_BLOCKS = 4_096;

/**
 * Decodes the events of one streamed message. Unknown events are ignored, blocks of unknown types are kept. The answer is
 * complete once its stop reason is known, which comes with its usage.
 */
export class MessagesStreamDecoder implements AnswerDecoder {
  private readonly blocks: GrowingBlock[] = [];
  /** The latest block of each place: a server may number several alike. */
  private readonly latest = new Map<number, GrowingBlock>();
  private readonly text = new PartedText();
  private readonly thinking = new PartedText();
  private readonly usage = new GrowingMessagesUsage();
  private id: string | null = null;
  private model: string | null = null;
  private stopReason: string | null = null;
  private failure: ResponseEnding | null = null;
  private latestType = 'thinking';
  /** Number of the text, or of the reasoning, that arrives; texts that follow each other are one. */
  private run = 0;
  private characters = 0;

  get ending(): ResponseEnding | null {
    if (this.failure !== null) return this.failure;
    return this.isWhole && this.usage.reported !== null ? this.end() : null;
  }

  get isWhole(): boolean {
    return this.stopReason !== null;
  }

  get isReasoning(): boolean {
    return this.latestType !== 'text' && this.latestType !== 'tool_use';
  }

  push(event: unknown): readonly StreamedDelta[] {
    if (this.failure !== null || !isJsonObject(event)) return [];
    switch (readText(event, 'type')) {
      case 'message_start':
        return this.begin(readObject(event, 'message'));
      case 'content_block_start':
        return this.beginBlock(indexOf(event), readObject(event, 'content_block'));
      case 'content_block_delta':
        return this.grow(indexOf(event), readObject(event, 'delta'));
      case 'message_delta':
        this.usage.end(event['usage']);
        this.stopReason = readText(readObject(event, 'delta'), 'stop_reason') ?? this.stopReason;
        return this.stopReason === null
          ? []
          : [...show('thinking', this.thinking.end()), ...show('text', this.text.end())];
      case 'error':
        this.fail(readObject(event, 'error'));
        return [];
      default:
        return [];
    }
  }

  end(): ResponseEnding | null {
    if (this.failure !== null || this.stopReason === null) return this.failure;
    return endMessage({
      id: this.id,
      model: this.model,
      blocks: this.blocks.map((block) => block.end()),
      usage: this.usage.reported,
      stopReason: this.stopReason,
    });
  }

  private begin(message: JsonObject): readonly StreamedDelta[] {
    this.id ??= readText(message, 'id') || null;
    this.model ??= readText(message, 'model') || null;
    this.usage.begin(message['usage']);
    return readObjects(message, 'content').flatMap((block, index) => this.beginBlock(index, block));
  }

  private beginBlock(index: number, begun: JsonObject): readonly StreamedDelta[] {
    const block = new GrowingBlock(begun);
    this.remember(index, block);
    this.count(JSON.stringify(begun).length);
    if (block.type === 'tool_use') return [{ kind: 'tool_call' }];
    return this.show(block.type, readText(begun, block.type) ?? '');
  }

  private grow(index: number, delta: JsonObject): readonly StreamedDelta[] {
    const known = this.latest.get(index);
    const block = known ?? GrowingBlock.begunBy(delta);
    if (known === undefined) this.remember(index, block);
    const piece = block.grow(delta);
    this.count(piece.length);
    const isShown = delta['type'] === 'text_delta' || delta['type'] === 'thinking_delta';
    const begun = known === undefined && block.type === 'tool_use' ? [{ kind: 'tool_call' } as const] : [];
    return isShown ? this.show(block.type, piece) : begun;
  }

  private remember(index: number, block: GrowingBlock): void {
    if (block.type !== this.latestType || block.type === 'thinking') this.run += 1;
    this.latestType = block.type;
    this.latest.set(index, block);
    this.blocks.push(block);
    if (this.blocks.length > MAX_BLOCKS) this.failure = failedEnding({ code: 'answer_too_large' });
  }

  private show(type: string, piece: string): readonly StreamedDelta[] {
    if (this.failure !== null || piece === '') return [];
    if (type === 'text') return show('text', this.text.push(String(this.run), piece));
    return type === 'thinking' ? show('thinking', this.thinking.push(String(this.run), piece)) : [];
  }

  private count(characters: number): void {
    this.characters += characters;
    if (this.characters > MAX_ANSWER_CHARACTERS) this.failure = failedEnding({ code: 'answer_too_large' });
  }

  private fail({ type, message }: JsonObject): void {
    const reported = reportedBy({ id: this.id, model: this.model, usage: this.usage.reported });
    this.failure = failedEnding({ status: 'failed', code: type, message, reported });
  }
}

function indexOf(event: JsonObject): number {
  return typeof event['index'] === 'number' ? event['index'] : 0;
}

function show(kind: 'text' | 'thinking', content: string): readonly StreamedDelta[] {
  return content === '' ? [] : [{ kind, content }];
}
