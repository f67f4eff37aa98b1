import { Capstan, type ChatTurn, type FollowExecutionOptions } from '../client/index.js';
import { ChunkWriter, type ChatChunk } from './chat-chunks.js';

/** An execution that answers a message. */
export interface StartedTurn {
  readonly id: string;
  /**
   * Stream token of the execution; a function is asked for another one once it has expired. Null where the service asks for
   * no key.
   */
  readonly streamToken?: FollowExecutionOptions['streamToken'] | null;
}

/** A message as `useChat` sends it. */
export interface SentTurn extends ChatTurn {
  readonly trigger: 'submit-message' | 'regenerate-message';
  /** Fields and headers that the caller of `sendMessage` gives. */
  readonly body: object | undefined;
  readonly headers: Record<string, string> | Headers | undefined;
  readonly metadata: unknown;
  readonly signal: AbortSignal | undefined;
}

export interface ChatTransportOptions {
  /** Has your server submit a message, as `chatTurns` does, and make a stream token. */
  readonly submit: (turn: SentTurn) => Promise<StartedTurn>;
  /** Asks your server for the execution of a chat that has not ended; by default none is taken up again. */
  readonly findOpen?: (chatId: string) => Promise<StartedTurn | null>;
  /** Address of the service; by default that of the page. */
  readonly baseUrl?: string;
  /** A client in place of a token, such as one with a `fetch` that goes through your server. */
  readonly client?: Capstan;
}

interface Message {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly { readonly type: string; readonly text?: string }[];
}

interface RequestOptions {
  readonly headers?: Record<string, string> | Headers;
  readonly body?: object;
  readonly metadata?: unknown;
}

interface Page {
  readonly location?: { readonly origin: string };
}

/**
 * A transport for `useChat` of the AI SDK: each message of the user is one durable execution, whose events are followed over
 * broken connections. Messages of the page are no history: the service has its own.
 */
export class ChatTransport {
  /** A stream that is taken up again begins at its beginning. */
  readonly resumeStreamIsReplay = true;
  private readonly client: Capstan;

  constructor(private readonly options: ChatTransportOptions) {
    const { client, baseUrl } = options;
    this.client =
      client ?? new Capstan({ apiKey: null, baseUrl: baseUrl ?? (globalThis as Page).location?.origin });
  }

  /** @throws {TypeError} where the last message of the user has no text */
  readonly sendMessages = async (
    options: {
      trigger: 'submit-message' | 'regenerate-message';
      chatId: string;
      messageId: string | undefined;
      messages: readonly Message[];
      abortSignal: AbortSignal | undefined;
    } & RequestOptions,
  ): Promise<ReadableStream<ChatChunk>> => {
    const { trigger, chatId, messages, abortSignal: signal, headers, body, metadata } = options;
    const message = messages.findLast(({ role }) => role === 'user');
    const text = message?.parts.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
    if (message === undefined || text === undefined || text === '')
      throw new TypeError('The last message of the user has no text.');
    const turn = { chatId, messageId: message.id, text, trigger, body, headers, metadata, signal };
    return this.stream(await this.options.submit(turn), signal);
  };

  readonly reconnectToStream = async (
    options: { chatId: string; abortSignal?: AbortSignal } & RequestOptions,
  ): Promise<ReadableStream<ChatChunk> | null> => {
    const open = (await this.options.findOpen?.(options.chatId)) ?? null;
    return open === null ? null : this.stream(open, options.abortSignal);
  };

  /** Follows until the execution ends; a page that stops reading ends the stream, and the execution goes on. */
  private stream(
    { id, streamToken }: StartedTurn,
    signal: AbortSignal | undefined,
  ): ReadableStream<ChatChunk> {
    const { executions } = this.client;
    const stopping = new AbortController();
    const all = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
    const writer = new ChunkWriter(id);
    return new ReadableStream<ChatChunk>({
      async start(controller) {
        try {
          for (const chunk of writer.begin()) controller.enqueue(chunk);
          for await (const event of executions.follow(id, {
            signal: all,
            streamToken: streamToken ?? undefined,
          })) {
            for (const chunk of writer.write(event)) controller.enqueue(chunk);
            if (event.event === 'result') break;
          }
          controller.close();
        } catch (error) {
          if (!stopping.signal.aborted) controller.error(error);
        }
      },
      cancel: () => stopping.abort(),
    });
  }
}
