// @ts-check
// Work of both rooflines beside their statements: call the model, and deliver the webhook.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';

const { OPENAI_BASE_URL, ROOFLINE_WEBHOOK_URL } = process.env;
/** Maximum concurrent executions of one worker. */
export const CONCURRENCY = 50;
const dispatcher = new Agent({ connections: CONCURRENCY });

/** @param {string} input @returns {Promise<{id: string, text: string}>} */
export async function askModel(input) {
  const { statusCode, body } = await request(`${OPENAI_BASE_URL}/responses`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    body: JSON.stringify({ model: 'sim-echo', input, stream: true, store: false }),
  });
  const events = await body.text();
  if (statusCode !== 200) throw new Error(`the simulator answered ${statusCode}: ${events}`);
  const line = events.slice(events.lastIndexOf('data: {') + 6);
  const { response } = JSON.parse(line);
  return { id: response.id, text: response.output.at(-1).content[0].text };
}

/**
 * The rows that the service writes, too.
 * @param {{id: string, input: string, answer: {id: string, text: string}}} execution
 */
export function rowsOf({ id, input, answer }) {
  const messages = [
    { ordinal: 0, role: 'user', content: input },
    { ordinal: 1, role: 'assistant', content: answer.text },
  ];
  return {
    journal: [
      { sequence: 1, kind: 'model_answered', data: { response: answer } },
      { sequence: 2, kind: 'settled', data: { status: 'completed' } },
    ],
    messages,
    deliveryId: `evt_${randomUUID()}`,
    body: JSON.stringify({ type: 'execution.completed', data: { id, result: messages[1] } }),
  };
}

/** @param {string} id @param {string} body @returns {Promise<number>} the status of the answer */
export async function deliver(id, body) {
  const headers = { 'content-type': 'application/json', 'webhook-id': id };
  const answer = await request(ROOFLINE_WEBHOOK_URL ?? '', { dispatcher, method: 'POST', headers, body });
  await answer.body.dump();
  return answer.statusCode;
}
