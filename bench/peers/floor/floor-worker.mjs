// @ts-check
// The floor's worker: model, tool, model, with every fact kept before the next step, one flushed settlement, a fence
// against late holders, and runs of dead workers taken over from their facts.
import { createServer } from 'node:http';
import { connect } from 'node:net';
import pg from 'pg';
import { Agent, request } from 'undici';
import { group } from '../../programs/group.mjs';
import { BEGIN_STEP, RENEW, SETTLE, TAKE_OVER } from './floor-sql.mjs';
import { linesOf } from './lines.mjs';

const { DATABASE_URL: connectionString, MODEL_URL, TOOL_URL = '', PORT, WORKER_PORT } = process.env;
const CONCURRENCY = Number(process.env.CONCURRENCY);
const MAX_TOGETHER = 64;
const LOOK_MS = 1_000;
const TOOLS = [
  {
    type: 'function',
    name: 'lookup',
    description: 'Looks something up.',
    strict: true,
    parameters: {
      type: 'object',
      properties: { q: { type: 'string' } },
      required: ['q'],
      additionalProperties: false,
    },
  },
];
const durable = new pg.Pool({ connectionString, max: 4 });
/** For facts of a run that goes on: the flush of its settlement includes them. */
const forgetful = new pg.Pool({ connectionString, max: 4, options: '-c synchronous_commit=off' });
const dispatcher = new Agent({ connections: CONCURRENCY });

/** @typedef {{id: string, token: string, input: string, fact?: any}} Run `fact`: the model's first answer */

/**
 * @param {pg.Pool} pool
 * @param {{name: string, text: string}} statement answers the ids of the rows that it wrote
 * @returns {(row: {id: string} & Record<string, unknown>) => Promise<boolean>} whether the row was written
 */
const writeTogether = (pool, statement) =>
  group(async (items) => {
    const { rows } = await pool.query({ ...statement, values: [JSON.stringify(items)] });
    const held = new Set(rows.map(({ id }) => id));
    return items.map(({ id }) => held.has(id));
  }, MAX_TOGETHER);
const beginStep = writeTogether(forgetful, BEGIN_STEP);
const settle = writeTogether(durable, SETTLE);

/** @param {readonly object[]} input */
async function askModel(input) {
  const { statusCode, body } = await request(`${MODEL_URL}/responses`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    body: JSON.stringify({ model: 'gpt-5-mini', input, tools: TOOLS, store: false }),
  });
  /** @type {any} */
  const answer = await body.json();
  if (statusCode !== 200) throw new Error(`the model answered ${statusCode}`);
  return { item: answer.output.at(-1), usage: answer.usage };
}

/** @param {Run} run @returns {Promise<string | null>} null when another worker holds the run by now */
async function perform({ id, token, input, fact: known }) {
  const said = { role: 'user', content: input };
  const first = known ?? (await askModel([said]));
  const { call_id, name, arguments: given } = first.item;
  if (known === undefined && !(await beginStep({ id, token, fact: first, call_id, name, input: given })))
    return null;
  const found = await (await request(TOOL_URL, { dispatcher })).body.text();
  const second = await askModel([said, first.item, { type: 'function_call_output', call_id, output: found }]);
  const output = second.item.content[0].text;
  const usage = [first.usage, second.usage];
  const isOurs = await settle({ id, token, fact: second, call_id, found, input, output, usage });
  return isOurs ? output : null;
}

/** Runs that this worker holds, those that wait for a place too. @type {Set<string>} */
const held = new Set();
/** @type {Run[]} */
const waiting = [];
let free = CONCURRENCY;

/** @param {Run} run */
function take(run) {
  held.add(run.id);
  if (free === 0) waiting.push(run);
  else void start(run);
}

/** @param {Run} run */
async function start(run) {
  free -= 1;
  try {
    const output = await perform(run);
    if (output !== null) send({ id: run.id, output });
  } catch (error) {
    // Its lease ends, and then it goes on from its facts.
    console.error(error);
  }
  held.delete(run.id);
  free += 1;
  const next = waiting.shift();
  if (next !== undefined) void start(next);
}

const send = linesOf(connect(Number(WORKER_PORT), '127.0.0.1'), take);

setInterval(async () => {
  if (held.size > 0) await forgetful.query({ ...RENEW, values: [[...held]] });
  const { rows } = await durable.query(TAKE_OVER);
  for (const row of rows) take({ ...row, fact: row.fact ?? undefined });
}, LOOK_MS);
createServer((_request, response) => response.end('ok')).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
