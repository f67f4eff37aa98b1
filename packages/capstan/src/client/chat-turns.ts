import type { CallOptions } from './call-options.js';
import type { Capstan } from './capstan.js';
import { ApiError } from './errors.js';
import type { ExecuteRequest, Execution } from './types.js';

/** One message of a user in a chat. */
export interface ChatTurn {
  /** Name of the chat, at most 200 characters. */
  readonly chatId: string;
  /** Name of the message: sent twice, it is answered once. */
  readonly messageId: string;
  readonly text: string;
}

export interface ChatTurnOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** Further fields of the request, such as `executor`. */
  readonly request?: Omit<ExecuteRequest, 'input' | 'session_uuid' | 'session_metadata'> | undefined;
}

/** Key of a session’s metadata that has the name of its chat. */
const CHAT_ID = 'chat_id';

/** Turns of chats as executions of one agent; a chat is the session with its name in `metadata.chat_id`. */
export interface ChatTurns {
  /** Submits a message: the first one of a chat begins its session. */
  submit(turn: ChatTurn, options?: ChatTurnOptions): Promise<Execution>;
  /** The execution of a chat that has not ended; null where there is none. */
  findOpen(chatId: string, options?: CallOptions): Promise<{ readonly id: string } | null>;
}

export function chatTurns(client: Capstan, agent: number): ChatTurns {
  const sessionOf = async (chatId: string, options: CallOptions): Promise<string | undefined> => {
    const query = { agent_id: agent, metadata: { [CHAT_ID]: chatId }, limit: 1 };
    const { data } = await client.sessions.list(query, options);
    return data[0]?.uuid;
  };
  return {
    async submit({ chatId, messageId, text }, { request = {}, ...options } = {}) {
      const call = { ...options, idempotencyKey: keyOf(chatId, messageId) };
      const begin = () =>
        client.executions.submit(
          agent,
          { ...request, input: text, session_metadata: { [CHAT_ID]: chatId } },
          call,
        );
      const session = await sessionOf(chatId, options);
      if (session === undefined) return begin();
      try {
        return await client.executions.submit(
          agent,
          { ...request, input: text, session_uuid: session },
          call,
        );
      } catch (error) {
        // The message that began the session is sent once more: its key belongs to the request that it was sent with.
        if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED') return begin();
        throw error;
      }
    },
    async findOpen(chatId, options = {}) {
      const session = await sessionOf(chatId, options);
      if (session === undefined) return null;
      const query = { session_uuid: session, status: 'queued,running,requires_action', limit: 1 };
      const { data } = await client.executions.list(query, options);
      return data[0] ?? null;
    },
  };
}

/** At most 255 visible ASCII characters. */
function keyOf(chatId: string, messageId: string): string {
  return `chat/${encodeURIComponent(chatId)}/${encodeURIComponent(messageId)}`;
}
