import type { ServerResponse } from 'node:http';
import type { Scene } from './scripted-provider.js';

export const CREATED = { type: 'response.created', response: { id: 'resp_1', model: 'gpt-5-test' } };
export const COMPLETED_RESPONSE = {
  id: 'resp_1',
  object: 'response',
  model: 'gpt-5-test',
  status: 'completed',
  output: [],
  usage: { input_tokens: 12, output_tokens: 5 },
};
export const COMPLETED = { type: 'response.completed', response: COMPLETED_RESPONSE };

export const text = (delta: string) => ({ type: 'response.output_text.delta', delta });
export const thought = (delta: string) => ({ type: 'response.reasoning_summary_text.delta', delta });
export const added = (type: string) => ({ type: 'response.output_item.added', item: { type } });
export const call = (callId: string, name: string, args: string) => ({
  type: 'response.output_item.done',
  item: { type: 'function_call', id: `fc_${callId}`, call_id: callId, name, arguments: args },
});

/** An event as the wire carries it. */
export function frame(event: object): string {
  const type = 'type' in event ? String(event.type) : 'message';
  return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A whole, correct stream of these events. */
export function stream(...events: object[]): Scene {
  return (response) => {
    openStream(response);
    response.end(events.map(frame).join(''));
  };
}

/** A whole, correct stream that ends 10 ms after its last event. */
export function streamWithLateEnd(...events: object[]): Scene {
  return (response) => {
    openStream(response);
    response.write(events.map(frame).join(''), () => setTimeout(() => response.end(), 10));
  };
}

/** Sends each chunk in a packet of its own as an event stream, which then ends properly. */
export function bytes(...chunks: (string | Uint8Array)[]): Scene {
  return (response) => {
    openStream(response);
    void writeApart(response, chunks).then(() => response.end());
  };
}

/** Sends the chunks as an event stream without a pause between them. */
export function bytesAtOnce(...chunks: (string | Uint8Array)[]): Scene {
  return (response) => {
    openStream(response);
    for (const chunk of chunks) response.write(chunk);
    response.end();
  };
}

/** Sends these events and never ends the response. */
export function streamThenSilence(...events: object[]): Scene {
  return (response) => {
    openStream(response);
    response.write(events.map(frame).join(''));
  };
}

/** These events and a piece of the next, then the connection is reset. */
export function streamThenReset(...events: object[]): Scene {
  return (response) => {
    openStream(response);
    response.write(`${events.map(frame).join('')}event: response.output_text.delta\ndata: {"ty`, () =>
      response.socket?.resetAndDestroy(),
    );
  };
}

export function status(code: number, error: object = {}, headers: Record<string, string> = {}): Scene {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });
    response.end(JSON.stringify({ error: { message: 'words of the provider', ...error } }));
  };
}

export function body(content: string, contentType = 'application/json', code = 200): Scene {
  return (response) => {
    response.writeHead(code, { 'content-type': contentType, 'x-request-id': 'req_1' });
    response.end(content);
  };
}

export const json = (value: unknown): Scene => body(JSON.stringify(value));

/** Accepts the request and never answers. */
export const silence: Scene = () => undefined;

export const reset: Scene = (response) => response.socket?.resetAndDestroy();

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' });
}

/** Each chunk in a packet of its own. */
async function writeApart(response: ServerResponse, chunks: readonly (string | Uint8Array)[]): Promise<void> {
  for (const chunk of chunks) {
    await new Promise((resolve) => response.write(chunk, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Display events of the answer `hello`, streamed in two pieces after the thought `hm`. */
export const HELLO_SHOWN = [
  { kind: 'thinking', content: 'hm' },
  { kind: 'text', content: 'he' },
  { kind: 'text', content: 'llo' },
];

/** The answer `hello` as one value, with one tool call, usage 12 + 5 and the items to return to the provider. */
export const helloAnswer = (providerItems: readonly object[]) => ({
  responseId: 'resp_1',
  model: 'gpt-5-test',
  text: 'hello',
  thinking: 'hm',
  toolCalls: [{ callId: 'c1', toolName: 'search', arguments: '{}' }],
  usage: {
    input_tokens: 12,
    cached_input_tokens: 0,
    output_tokens: 5,
    reasoning_tokens: 0,
    total_tokens: 17,
  },
  incompleteReason: null,
  providerItems,
});
