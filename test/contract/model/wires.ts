import { isJsonObject, type JsonObject } from '#libs/kernel';
import { modelProviders } from '#libs/model-providers';
import * as responses from './scenes.js';
import type { ReceivedRequest } from './scripted-provider.js';

/** Messages of one provider's API, so that each scene can be played in every API. */
export interface Wire {
  readonly provider: string;
  readonly path: string;
  /** Name of the stream in error texts. */
  readonly streamName: string;
  /** Header in which the key is sent. */
  readonly key: (key: string) => Readonly<Record<string, string>>;
  /** Whether a request asks for a stream. */
  readonly isStreamed: (request: Pick<ReceivedRequest, 'path' | 'body'>) => boolean;
  /** The image of a request as this API has it. */
  readonly image: (mediaType: string, base64: string) => unknown;
  /** First events of a stream. */
  readonly begin: readonly object[];
  readonly text: (delta: string) => object;
  readonly thought: (delta: string) => readonly object[];
  readonly call: (id: string, name: string, written: string) => readonly object[];
  /** Last events of a stream, with usage 12 + 5 by default; an undefined `usage` omits the field. */
  end(change?: { readonly reason?: Cut; readonly usage?: JsonObject | null | undefined }): readonly object[];
  /** Body of an answer that is not streamed. */
  body(said: { readonly text: string; readonly thinking?: string; readonly reason?: Cut }): object;
  /** Token counts in the field names of this API. */
  usage(input: number, output: number, cached: number): JsonObject;
  /** Reasoning items that go back to the provider together with a tool call. */
  kept(thinking: string): readonly object[];
}

export type Cut = 'max_output_tokens' | 'content_filter';

const saysStream: Wire['isStreamed'] = ({ body }) => isJsonObject(body) && body['stream'] === true;
const dataUrl: Wire['image'] = (mediaType, base64) => `data:${mediaType};base64,${base64}`;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const responsesWire: Wire = {
  provider: 'openai',
  path: '/v1/responses',
  streamName: 'responses stream',
  key: bearer,
  isStreamed: saysStream,
  image: dataUrl,
  begin: [],
  text: responses.text,
  thought: (delta) => [responses.thought(delta)],
  call: (id, name, written) => [responses.call(id, name, written)],
  end: (change = {}) => {
    const { reason } = change;
    const response = { ...responses.COMPLETED_RESPONSE, ...('usage' in change && { usage: change.usage }) };
    if (reason === undefined) return [{ type: 'response.completed', response }];
    const cut = { status: 'incomplete', incomplete_details: { reason } };
    return [{ type: 'response.incomplete', response: { ...response, ...cut } }];
  },
  body: ({ text, thinking = '', reason }) => ({
    ...responses.COMPLETED_RESPONSE,
    ...(reason !== undefined && { status: 'incomplete', incomplete_details: { reason } }),
    output: [
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: thinking }] },
      { type: 'message', content: [{ type: 'output_text', text }] },
    ],
  }),
  usage: (input, output, cached) => ({
    input_tokens: input,
    output_tokens: output,
    input_tokens_details: { cached_tokens: cached },
  }),
  kept: () => [],
};

const FINISH: Readonly<Record<Cut, string>> = {
  max_output_tokens: 'length',
  content_filter: 'content_filter',
};
const HEAD = { id: 'resp_1', model: 'gpt-5-test' };
const chunk = (delta: object, finish: string | null = null) => ({
  ...HEAD,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** Last index of a tool call; calls of one stream must differ in their index. */
let calls = 0;

const chatWire: Wire = {
  provider: 'openai_compatible',
  path: '/v1/chat/completions',
  streamName: 'chat completions stream',
  key: bearer,
  isStreamed: saysStream,
  image: dataUrl,
  begin: [],
  text: (content) => chunk({ content }),
  thought: (delta) => [chunk({ reasoning_content: delta })],
  call: (id, name, written) => [
    chunk({
      tool_calls: [{ index: (calls += 1), id, type: 'function', function: { name, arguments: written } }],
    }),
  ],
  end: (change = {}) => {
    const usage = 'usage' in change ? change.usage : chatWire.usage(12, 5, 0);
    const finish = chunk({}, change.reason === undefined ? 'stop' : FINISH[change.reason]);
    return usage === undefined ? [finish] : [finish, { ...HEAD, choices: [], usage }];
  },
  body: ({ text, thinking, reason }) => ({
    ...HEAD,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, reasoning_content: thinking },
        finish_reason: reason === undefined ? 'stop' : FINISH[reason],
      },
    ],
    usage: chatWire.usage(12, 5, 0),
  }),
  usage: (input, output, cached) => ({
    prompt_tokens: input,
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: cached },
  }),
  kept: (text) => [{ type: 'chat_reasoning', field: 'reasoning_content', text }],
};

const STOP: Readonly<Record<Cut, string>> = { max_output_tokens: 'max_tokens', content_filter: 'refusal' };
const SIGNATURE = 'c2lnbmVk';
const [THOUGHT, TEXT, CALLS] = [0, 1, 2];
const grown = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
const thinking = (text: string) => ({ type: 'thinking', thinking: text, signature: SIGNATURE });

const messagesWire: Wire = {
  provider: 'anthropic',
  path: '/v1/messages',
  streamName: 'messages stream',
  key: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  isStreamed: saysStream,
  image: (media_type, data) => ({ type: 'base64', media_type, data }),
  begin: [
    {
      type: 'message_start',
      message: { ...HEAD, type: 'message', content: [], usage: { output_tokens: 1 } },
    },
  ],
  text: (text) => grown(TEXT, { type: 'text_delta', text }),
  thought: (text) => [
    grown(THOUGHT, { type: 'thinking_delta', thinking: text }),
    grown(THOUGHT, { type: 'signature_delta', signature: SIGNATURE }),
  ],
  call: (id, name, written) => [
    { type: 'content_block_start', index: CALLS, content_block: { type: 'tool_use', id, name, input: {} } },
    grown(CALLS, { type: 'input_json_delta', partial_json: written }),
    { type: 'content_block_stop', index: CALLS },
  ],
  end: (change = {}) => {
    const usage = 'usage' in change ? change.usage : messagesWire.usage(12, 5, 0);
    const delta = { stop_reason: change.reason === undefined ? 'end_turn' : STOP[change.reason] };
    return [
      { type: 'message_delta', delta, ...(usage !== undefined && { usage }) },
      { type: 'message_stop' },
    ];
  },
  body: ({ text, thinking: thought, reason }) => ({
    ...HEAD,
    ...{ type: 'message', role: 'assistant' },
    content: [...(thought === undefined ? [] : [thinking(thought)]), { type: 'text', text }],
    stop_reason: reason === undefined ? 'end_turn' : STOP[reason],
    usage: messagesWire.usage(12, 5, 0),
  }),
  usage: (input, output, cached) => ({
    input_tokens: input - cached,
    output_tokens: output,
    cache_read_input_tokens: cached,
  }),
  kept: (text) => [thinking(text)],
};

/** Its streams come as text here, as a proxy sends them; those in frames are in `bedrock.spec.ts`. */
const bedrockWire: Wire = {
  ...messagesWire,
  provider: 'bedrock',
  path: '/v1/model/gpt-5/invoke-with-response-stream',
  key: bearer,
  isStreamed: ({ path }) => path.endsWith('/invoke-with-response-stream'),
};

/** The wire of each provider, by the provider's id. */
export const WIRES: readonly (readonly [string, Wire])[] = [
  responsesWire,
  chatWire,
  messagesWire,
  bedrockWire,
].map((wire) => [wire.provider, wire]);

/** Providers that this service asks itself; the rest run an engine, with tests of its own. */
export const ASKED_PROVIDERS = modelProviders.ids.filter((id) => id !== 'claude_agent_sdk');
