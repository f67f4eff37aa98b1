import { isJsonObject, type JsonObject } from '#libs/kernel';
import type { MessagesRequest } from '../wire/messages/messages-request.js';
import { toEngineName } from './tool-names.js';

type Message = MessagesRequest['messages'][number];

/** The place of a transcript: ids and times come in. */
export interface TranscriptPlace {
  readonly sessionId: string;
  /** Working folder of the run. */
  readonly folder: string;
  readonly model: string;
  /** Version of the engine's program. */
  readonly version: string;
  /** Time of every entry, as ISO 8601. */
  readonly at: string;
  /** A new id for each call. */
  nextId(): string;
}

export interface Conversation {
  /** Earlier messages, as the engine keeps them; empty for a new conversation. */
  readonly entries: readonly JsonObject[];
  /** Content of the message that the engine answers. */
  readonly prompt: readonly JsonObject[];
}

/** Stands for a question where the conversation ends with outputs of tools. */
const GO_ON = { type: 'text', text: 'Continue from where you left off.' };

/**
 * Splits a conversation into the transcript that the engine resumes and the message that it answers, so that the journal
 * of this service is the only memory of a session.
 */
export function toConversation(messages: readonly Message[], place: TranscriptPlace): Conversation {
  const { earlier, prompt } = splitLast(messages);
  let parentUuid: string | null = null;
  const entries = earlier.map((message, index): JsonObject => {
    const uuid = place.nextId();
    const entry = toEntry(message, { uuid, parentUuid, index }, place);
    parentUuid = uuid;
    return entry;
  });
  return { entries, prompt };
}

/** Outputs of tools belong to the transcript, everything after them to the question. */
function splitLast(messages: readonly Message[]): {
  readonly earlier: readonly Message[];
  readonly prompt: readonly JsonObject[];
} {
  const last = messages.at(-1);
  if (last?.role !== 'user') return { earlier: messages, prompt: [GO_ON] };
  const content = blocksOf(last);
  const outputs = content.filter(isOutput);
  const rest = content.filter((block) => !isOutput(block));
  const answered: Message[] = outputs.length === 0 ? [] : [{ role: 'user', content: outputs }];
  return { earlier: [...messages.slice(0, -1), ...answered], prompt: rest.length === 0 ? [GO_ON] : rest };
}

interface EntryPlace {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly index: number;
}

function toEntry(
  message: Message,
  { uuid, parentUuid, index }: EntryPlace,
  place: TranscriptPlace,
): JsonObject {
  const { sessionId, folder, model, version, at } = place;
  const content = blocksOf(message).map(withEngineName);
  const shared = { parentUuid, isSidechain: false, userType: 'external', cwd: folder, sessionId, version };
  const end = { uuid, timestamp: at };
  if (message.role === 'user') return { ...shared, type: 'user', message: { role: 'user', content }, ...end };
  const calls = content.some((block) => block['type'] === 'tool_use');
  const answer = {
    ...{ id: `msg_${index}_${uuid}`, type: 'message', role: 'assistant', model, content },
    ...{ stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { input_tokens: 0, output_tokens: 0 },
  };
  return { ...shared, type: 'assistant', message: answer, ...end };
}

function blocksOf({ content }: Message): readonly JsonObject[] {
  return (content as readonly unknown[]).filter(isJsonObject);
}

function isOutput(block: JsonObject): boolean {
  return block['type'] === 'tool_result';
}

function withEngineName(block: JsonObject): JsonObject {
  const { type, name } = block;
  return type === 'tool_use' && typeof name === 'string' ? { ...block, name: toEngineName(name) } : block;
}
