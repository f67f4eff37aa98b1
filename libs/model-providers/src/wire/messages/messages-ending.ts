import { isJsonObject, toStorableJson, toStorableText, type JsonObject, type JsonValue } from '#libs/kernel';
import type { AnswerPart, PromptToolCall } from '#libs/payloads';
import { distinctCalls } from '../model-calls/distinct-calls.js';
import { failedEnding } from '../model-calls/failed-ending.js';
import { BETWEEN_PARTS } from '../model-calls/parted-text.js';
import { isPlainOrder } from '../model-calls/plain-order.js';
import { isJson, readText } from '../model-calls/read-json.js';
import type { ReportedUsage, ResponseEnding, RestoredAnswer } from '../model-calls/restored-answer.js';
import type { EndedBlock } from './growing-block.js';
import { readMessagesUsage } from './messages-usage.js';
import { isReturnable } from './returned-blocks.js';

/** All reported parts of one answer. */
export interface ReceivedMessage {
  readonly id: string | null;
  readonly model: string | null;
  readonly blocks: readonly EndedBlock[];
  readonly usage: JsonObject | null;
  readonly stopReason: string;
}

const SUCCEEDED: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'tool_use']);
/** The answer ended at its own limit, or at that of the model's context. */
const CUT_SHORT: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded']);

/** Ending of a message from its stop reason and content. */
export function endMessage(message: ReceivedMessage): ResponseEnding {
  const { stopReason, blocks } = message;
  if (CUT_SHORT.has(stopReason)) return answered(message, 'max_output_tokens');
  if (stopReason === 'refusal') return answered(message, 'content_filter');
  if (stopReason === 'pause_turn')
    return { kind: 'paused', answer: restore(message, null), content: storableBlocks(blocks) };
  // An unknown reason may end a good answer; without content it becomes the failure's code.
  if (!SUCCEEDED.has(stopReason) && blocks.length === 0)
    return failedEnding({ status: 'failed', code: stopReason, reported: reportedBy(message) });
  return answered(message, null);
}

/** Usage of a message that failed. */
export function reportedBy({
  id,
  model,
  usage,
}: Pick<ReceivedMessage, 'id' | 'model' | 'usage'>): ReportedUsage | null {
  const tokens = readMessagesUsage(usage);
  return tokens === null ? null : { responseId: storable(id), model: storable(model), usage: tokens };
}

function answered(message: ReceivedMessage, reason: RestoredAnswer['incompleteReason']): ResponseEnding {
  return { kind: 'answered', answer: restore(message, reason) };
}

function restore(
  message: ReceivedMessage,
  incompleteReason: RestoredAnswer['incompleteReason'],
): RestoredAnswer {
  const { id, model, blocks, usage } = message;
  const { calls, dropped } = readCalls(blocks, incompleteReason);
  const parts = partsOf(blocks, calls);
  return {
    responseId: storable(id),
    model: storable(model),
    text: textOf(blocks),
    thinking: toStorableText(textsOf(blocks, 'thinking', 'thinking').join(BETWEEN_PARTS)),
    toolCalls: [...calls.values()],
    usage: readMessagesUsage(usage),
    incompleteReason,
    providerItems: storableBlocks(blocks.filter(({ block }) => isReturnable(block))),
    ...(isPlainOrder(parts) ? {} : { parts }),
    ...(dropped > 0 && { droppedCalls: dropped }),
  };
}

function storableBlocks(blocks: readonly EndedBlock[]): JsonObject[] {
  return blocks.map(({ block }) => toStorableJson(block)).filter(isJsonObject);
}

/** Texts that follow each other are one text; a block between them begins a new line. */
function textOf(blocks: readonly EndedBlock[]): string {
  return toStorableText(runsOf(blocks).join(BETWEEN_PARTS));
}

function runsOf(blocks: readonly EndedBlock[]): string[] {
  const runs: string[][] = [];
  let isOpen = false;
  for (const { block } of blocks) {
    const isText = block['type'] === 'text';
    const text = isText ? (readText(block, 'text') ?? '') : '';
    if (isText && isOpen) runs.at(-1)?.push(text);
    else if (isText) runs.push([text]);
    isOpen = isText;
  }
  return runs.map((run) => run.join('')).filter((run) => run !== '');
}

function textsOf(blocks: readonly EndedBlock[], type: string, field: string): string[] {
  return blocks
    .flatMap(({ block }) => (block['type'] === type ? (readText(block, field) ?? '') : []))
    .filter((text) => text !== '');
}

/** Pieces of the answer in order; texts that follow each other are one. */
function partsOf(
  blocks: readonly EndedBlock[],
  calls: ReadonlyMap<EndedBlock, PromptToolCall>,
): AnswerPart[] {
  let returned = 0;
  return blocks.reduce<AnswerPart[]>((parts, ended) => {
    const { block } = ended;
    if (isReturnable(block)) return [...parts, { kind: 'reasoning', index: returned++ }];
    if (block['type'] === 'text') return withText(parts, toStorableText(readText(block, 'text') ?? ''));
    const call = calls.get(ended);
    return call === undefined ? parts : [...parts, { kind: 'call', callId: call.id }];
  }, []);
}

function withText(parts: AnswerPart[], text: string): AnswerPart[] {
  const last = parts.at(-1);
  if (text === '') return parts;
  if (last?.kind !== 'message') return [...parts, { kind: 'message', text, phase: null }];
  return [...parts.slice(0, -1), { ...last, text: last.text + text }];
}

interface ReadCalls {
  readonly calls: ReadonlyMap<EndedBlock, PromptToolCall>;
  /** Number of further calls that cannot run; 0 if an incomplete reason already marks the answer as partial. */
  readonly dropped: number;
}

/** Calls with id and name; those of a refused answer do not run, and a limit may have cut the last one. */
function readCalls(blocks: readonly EndedBlock[], reason: RestoredAnswer['incompleteReason']): ReadCalls {
  const asked = blocks.filter(({ block }) => block['type'] === 'tool_use');
  const usable = asked.flatMap((ended) => {
    const call = toCall(ended);
    const isNamed = call.id.trim() !== '' && call.name.trim() !== '';
    const isWhole = reason === null || isJson(call.arguments);
    return isNamed && isWhole && reason !== 'content_filter' ? [{ ended, ...call }] : [];
  });
  const calls = new Map(distinctCalls(usable).map(({ ended, ...call }) => [ended, call]));
  return { calls, dropped: reason === null ? asked.length - usable.length : 0 };
}

function toCall({ block, written }: EndedBlock): PromptToolCall {
  const { input } = block;
  return {
    id: toStorableText(readText(block, 'id') ?? ''),
    name: toStorableText(readText(block, 'name') ?? ''),
    arguments: toStorableText(written ?? writtenOf(input)),
  };
}

/** Gateways send the input as text. */
function writtenOf(input: JsonValue | undefined): string {
  if (input === undefined) return '{}';
  if (typeof input === 'string') return input;
  try {
    return JSON.stringify(input);
  } catch {
    // Nested too deeply to be written as it is.
    return JSON.stringify(toStorableJson(input));
  }
}

function storable(text: string | null): string | null {
  return text === null ? null : toStorableText(text);
}
