import { isJsonObject, toStorableJson, toStorableText, type JsonObject } from '#libs/kernel';
import type { PromptMedia, PromptMessage, PromptToolCall } from '#libs/payloads';
import {
  MISSING_OUTPUT,
  pairToolCalls,
  type PairedAssistantMessage,
  type PairedMessage,
} from '../model-calls/pair-tool-calls.js';
import { inPlainOrder } from '../model-calls/plain-order.js';
import { isReturnable } from './returned-blocks.js';
import type { MessagesBlock, MessagesMessage, MessagesTextBlock } from './messages-request.js';
import { SentIds } from './sent-ids.js';

type Block = MessagesBlock | JsonObject;

/** Begins a conversation whose oldest part is an answer: the API expects a question first. */
const BEGUN_EARLIER: MessagesTextBlock = { type: 'text', text: '(The conversation began earlier.)' };

/** All instructions, in order; the API takes them apart from the conversation. */
export function toSystem(messages: readonly PromptMessage[]): MessagesTextBlock[] {
  return messages.flatMap(({ role, content }) =>
    role === 'system' || role === 'developer' ? toTextBlocks(content) : [],
  );
}

/**
 * Converts messages to turns of the Messages API. The outputs of an answer's calls begin the turn after it, because the
 * API refuses any other order; blank texts and characters that providers refuse are dropped.
 */
export function toMessages(messages: readonly PromptMessage[]): MessagesMessage[] {
  const ids = new SentIds();
  const open = new Map<string, OpenOutput>();
  const turns = pairToolCalls(messages).flatMap((message) => toTurns(message, ids, open));
  const [first] = turns;
  const begun: Turn[] =
    first?.role === 'assistant' ? [{ role: 'user', content: [BEGUN_EARLIER] }, ...turns] : turns;
  return joinQuestions(begun).map(({ role, content }) => ({
    role,
    content: content.map((block) => (block instanceof OpenOutput ? block.toBlock() : block)),
  }));
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly (Block | OpenOutput)[];
}

/** Placeholder of an output, filled when the output is found. */
class OpenOutput {
  content: string = MISSING_OUTPUT;

  constructor(private readonly sentId: string) {}

  toBlock(): MessagesBlock {
    const { content } = this;
    return {
      type: 'tool_result',
      tool_use_id: this.sentId,
      ...(content.trim() !== '' && { content }),
    };
  }
}

function toTurns(message: PairedMessage, ids: SentIds, open: Map<string, OpenOutput>): Turn[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [];
    case 'user': {
      const content = [...(message.media ?? []).map(toMediaBlock), ...toTextBlocks(message.content)];
      return content.length === 0 ? [] : [{ role: 'user', content }];
    }
    case 'assistant':
      return toAnswer(message, ids, open);
    case 'tool': {
      const output = open.get(message.toolCallId);
      if (output !== undefined) output.content = toStorableText(message.content);
      return [];
    }
  }
}

function toAnswer(message: PairedAssistantMessage, ids: SentIds, open: Map<string, OpenOutput>): Turn[] {
  const outputs: OpenOutput[] = [];
  const sent = new Map(
    message.toolCalls.map((call) => {
      const id = ids.next(call.id);
      const output = new OpenOutput(id);
      // An id may recur in a later round: an output belongs to the latest call with its id.
      open.set(call.id, output);
      outputs.push(output);
      return [call.id, toCallBlock(call, id)];
    }),
  );
  const placed = (message.parts ?? inPlainOrder(message)).flatMap((part): Block[] => {
    switch (part.kind) {
      case 'reasoning': {
        const item = message.providerItems?.[part.index];
        return item !== undefined && isReturnable(item) ? [item] : [];
      }
      case 'message':
        return toTextBlocks(part.text);
      case 'call': {
        const block = sent.get(part.callId);
        return block !== undefined && sent.delete(part.callId) ? [block] : [];
      }
    }
  });
  const content = withoutTrailingThoughts([...placed, ...sent.values()]);
  if (content.length === 0) return [];
  return [
    { role: 'assistant', content },
    ...(outputs.length > 0 ? [{ role: 'user' as const, content: outputs }] : []),
  ];
}

/** The API refuses an answer that ends with reasoning. */
function withoutTrailingThoughts(blocks: readonly Block[]): readonly Block[] {
  return blocks.slice(0, blocks.findLastIndex(({ type }) => !isThought(type)) + 1);
}

function isThought(type: unknown): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/** Questions in a row become one turn, outputs first. */
function joinQuestions(turns: readonly Turn[]): Turn[] {
  return turns.reduce<Turn[]>((joined, turn) => {
    const last = joined.at(-1);
    if (last?.role !== 'user' || turn.role !== 'user') return [...joined, turn];
    return [...joined.slice(0, -1), { role: 'user', content: [...last.content, ...turn.content] }];
  }, []);
}

function toTextBlocks(content: string): MessagesTextBlock[] {
  const text = toStorableText(content);
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function toMediaBlock({ kind, name, mediaType, base64 }: PromptMedia): MessagesBlock {
  const source = { type: 'base64', media_type: mediaType, data: base64 } as const;
  return kind === 'image'
    ? { type: 'image', source }
    : { type: 'document', source, title: toStorableText(name) };
}

function toCallBlock({ name, arguments: written }: PromptToolCall, id: string): MessagesBlock {
  return { type: 'tool_use', id, name, input: inputOf(written) };
}

/** The API takes objects only. */
function inputOf(written: string): JsonObject {
  if (written.trim() === '') return {};
  try {
    const input = toStorableJson(JSON.parse(written));
    if (isJsonObject(input)) return input;
  } catch {
    // Kept as text below.
  }
  return { unreadable_arguments: toStorableText(written) };
}
