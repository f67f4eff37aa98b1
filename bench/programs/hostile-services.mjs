// @ts-check
// Services of a hostile tenant: MCP servers with hostile tool schemas and results (/mcp/<seed>), and a model
// (/v1/chat/completions) that calls the offered tools with hostile arguments, then ends.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import fc from 'fast-check';
import { hostileArguments, hostileText } from '../../test/support/hostile/hostile-arguments.ts';
import { hostileCall, hostileRoot } from '../../test/support/hostile/hostile-schemas.ts';

const TOOLS = 20;
const CALLS = 6;
let asked = 0;

/**
 * @template T @param {import('fast-check').Arbitrary<T>} arbitrary @param {number} seed @param {number} numRuns
 * @returns {T[]}
 */
const draw = (arbitrary, seed, numRuns) => fc.sample(arbitrary, { seed, numRuns });

/** @param {number} seed */
function toolsOf(seed) {
  const schemas = [
    ...draw(hostileCall, seed, TOOLS).map(({ schema }) => schema),
    ...draw(hostileRoot, seed, TOOLS),
    ...[240_000, 1_000_000].map((length) => ({ type: 'object', description: 'x'.repeat(length) })),
  ];
  return schemas.map((inputSchema, at) => ({ name: `tool_${at}`, description: 'Does it.', inputSchema }));
}

/** @param {any} message @param {number} seed */
function answerMcp({ method, params }, seed) {
  if (method === 'tools/list') return { tools: toolsOf(seed) };
  if (method === 'tools/call') {
    asked += 1;
    return { content: draw(hostileText, asked, 2).map((text) => ({ type: 'text', text })) };
  }
  const serverInfo = { name: 'hostile', version: '1' };
  return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
}

/** @param {any} request */
function answerModel({ messages, tools = [] }) {
  asked += 1;
  const isDone = tools.length === 0 || messages.at(-1)?.role === 'tool';
  const [text = ''] = draw(hostileText, asked, 1);
  const [matching] = draw(hostileCall, asked, 1);
  const written = [...draw(hostileArguments, asked, CALLS - 1), JSON.stringify(matching?.input ?? {})];
  const tool_calls = written.map((given, at) => ({
    id: `call_${asked}_${at}`,
    type: 'function',
    function: { name: tools[(asked + at) % tools.length]?.function.name, arguments: given },
  }));
  const message = isDone
    ? { role: 'assistant', content: text.slice(0, 100_000) }
    : { role: 'assistant', content: null, tool_calls };
  return {
    ...{ id: `chatcmpl-${asked}`, object: 'chat.completion', created: 1_764_664_568, model: 'hostile' },
    choices: [{ index: 0, message, finish_reason: isDone ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answer(request, response) {
  const path = request.url ?? '';
  const say = (/** @type {object} */ body) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (path === '/readyz') return say({ asked });
  if (request.method !== 'POST') return void response.writeHead(405).end();
  /** @type {any} */
  const body = await json(request);
  if (!path.startsWith('/mcp/')) return say(answerModel(body));
  if (body.id === undefined) return void response.writeHead(202).end();
  return say({ jsonrpc: '2.0', id: body.id, result: answerMcp(body, Number(path.slice('/mcp/'.length))) });
}
