// @ts-check
// npm run bench:model: decoder throughput, and the adapter's cost above the plain client, in one run.
import { performance } from 'node:perf_hooks';
import { modelProviders, ResponsesStreamDecoder } from '#libs/model-providers';
import OpenAI from 'openai';
import { startSimulator } from './simulator.mjs';
import { median } from './measure/median.mjs';
import { printTable } from './report.mjs';

const DELTAS = 200_000;
const ROUNDS = 9;
const CALLS_PER_ROUND = 40;
const INPUT = 'A question of ordinary length, as a customer would ask it. '.repeat(4);

printTable('Decoder', [decoderThroughput()]);
const simulator = await startSimulator();
try {
  printTable('One streamed call, milliseconds (median of rounds)', [
    await adapterOverhead(simulator.baseUrl),
  ]);
} finally {
  await simulator.stop();
}

/** Already parsed events, in the client's form. */
function decoderThroughput() {
  const events = Array.from({ length: DELTAS }, (_, index) => ({
    type: 'response.output_text.delta',
    sequence_number: index,
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta: 'some text ',
  }));
  const bytes = events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
  const seconds = Array.from({ length: ROUNDS }, () => {
    const decoder = new ResponsesStreamDecoder();
    const begun = performance.now();
    for (const event of events) decoder.push(event);
    return (performance.now() - begun) / 1_000;
  });
  const time = median(seconds);
  return { 'events/s': Math.round(DELTAS / time), 'MB/s': Math.round(bytes / time / 1e6) };
}

/**
 * Alternates both in each round, so that a drift of the machine's speed affects both alike.
 * @param {string} baseUrl
 */
async function adapterOverhead(baseUrl) {
  const client = new OpenAI({ apiKey: 'bench', baseURL: baseUrl, maxRetries: 0 });
  const adapter = modelProviders.get('openai').connect({
    apiKey: 'bench',
    baseUrl,
    organization: null,
    timeoutMs: 60_000,
    firstByteMs: 60_000,
    options: {},
  });
  /** @type {import('#libs/agent-core').ModelRequest} */
  const request = {
    model: 'sim-echo',
    messages: [{ role: 'user', content: INPUT }],
    tools: [],
    parameters: {},
  };
  const signal = new AbortController().signal;
  const bareCall = async () => {
    const stream = await client.responses.create({
      model: 'sim-echo',
      input: INPUT,
      stream: true,
      store: false,
    });
    let text = '';
    for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
    return text;
  };
  const adapterCall = () => adapter.call(request, () => undefined, signal);
  await rounds(bareCall);
  await rounds(adapterCall);
  /** @type {number[]} */
  const bare = [];
  /** @type {number[]} */
  const ours = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await rounds(bareCall));
    ours.push(await rounds(adapterCall));
  }
  const ratios = bare.map((time, index) => (ours[index] ?? Number.NaN) / time);
  return {
    'bare client': median(bare).toFixed(2),
    adapter: median(ours).toFixed(2),
    ratio: median(ratios).toFixed(2),
  };
}

/** Time of a call, in ms. @param {() => Promise<unknown>} call */
async function rounds(call) {
  const begun = performance.now();
  for (let index = 0; index < CALLS_PER_ROUND; index += 1) await call();
  return (performance.now() - begun) / CALLS_PER_ROUND;
}
