// @ts-check
// A model of the Responses API and its tool's server, each with a fixed delay: the model calls the offered tool, and
// after the tool's answer it answers "done". It streams on request.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const MODEL_MS = Number(process.env.FAKE_MODEL_MS);
const TOOL_MS = Number(process.env.FAKE_TOOL_MS);
const USAGE = {
  input_tokens: 10,
  output_tokens: 5,
  total_tokens: 15,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};

/** Numbers of calls so far, to verify that no run was skipped. */
const asked = { model: 0, tool: 0 };

const server = createServer((request, response) => {
  if (request.url === '/readyz') return void sendJson(response, asked);
  if (request.url === '/tool') return void answerTool(response);
  return void answerModel(request, response);
});
// A server that closed idle connections would break off requests of clients that do not retry.
server.keepAliveTimeout = 120_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

/** @param {import('node:http').ServerResponse} response */
async function answerTool(response) {
  asked.tool += 1;
  await delay(TOOL_MS);
  sendJson(response, { ok: true });
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answerModel(request, response) {
  asked.model += 1;
  const number = asked.model;
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const { input, tools = [], stream = false, model } = JSON.parse(text);
  const last = Array.isArray(input) ? input.at(-1) : null;
  const isDone = last?.type === 'function_call_output' || tools.length === 0;
  const item = isDone ? saysDone(number) : callsTool(number, tools[0]);
  const answer = { ...responseOf(number, model, tools), output: [item], usage: USAGE };
  await delay(MODEL_MS);
  if (stream) sendEvents(response, answer, item);
  else sendJson(response, answer);
}

/** @param {number} number */
function saysDone(number) {
  const content = [{ type: 'output_text', text: 'done', annotations: [], logprobs: [] }];
  return { type: 'message', id: `msg_${number}`, role: 'assistant', status: 'completed', content };
}

/** @param {number} number @param {{name: string}} tool */
function callsTool(number, { name }) {
  const call = { call_id: `call_${number}`, name, arguments: '{"q":"x"}', status: 'completed' };
  return { type: 'function_call', id: `fc_${number}`, ...call };
}

/** @param {number} number @param {string} model @param {readonly object[]} tools */
function responseOf(number, model, tools) {
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    status: 'completed',
    model,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    temperature: 1,
    top_p: 1,
  };
}

/**
 * Streams the events of the answer.
 * @param {import('node:http').ServerResponse} response
 * @param {any} answer
 * @param {any} item
 */
function sendEvents(response, answer, item) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sequence = 0;
  const send = (/** @type {string} */ type, /** @type {object} */ fields) => {
    const event = { type, sequence_number: sequence, ...fields };
    sequence += 1;
    response.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const at = { item_id: item.id, output_index: 0 };
  send('response.created', { response: { ...answer, status: 'in_progress', output: [], usage: null } });
  if (item.type === 'message') {
    const [part] = item.content;
    send('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    });
    send('response.content_part.added', { ...at, content_index: 0, part: { ...part, text: '' } });
    send('response.output_text.delta', { ...at, content_index: 0, delta: part.text, logprobs: [] });
    send('response.output_text.done', { ...at, content_index: 0, text: part.text, logprobs: [] });
    send('response.content_part.done', { ...at, content_index: 0, part });
  } else {
    send('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', arguments: '' },
    });
    send('response.function_call_arguments.delta', { ...at, delta: item.arguments });
    send('response.function_call_arguments.done', { ...at, arguments: item.arguments, name: item.name });
  }
  send('response.output_item.done', { output_index: 0, item });
  send('response.completed', { response: answer });
  response.end();
}

/** @param {import('node:http').ServerResponse} response @param {object} body */
function sendJson(response, body) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
