import { createApiClient } from './api-client.mjs';
import { followExecution } from './follow-execution.mjs';
import { createEventPresenter } from './present-events.mjs';
import { sayOrder } from './present-order.mjs';
import { saySteps } from './present-steps.mjs';
import { say, style } from './terminal.mjs';

const AGENT = 'salesAgent';
const WEBHOOK_LIMIT_MS = 30_000;

/** @typedef {{agentId: number, executionId: string, problems: string[], settledAt: number}} MainJobReport */

/**
 * Submits an order text, follows it to its end, and shows what came of it: the order, the audit rows, the webhook.
 * @param {object} options
 * @param {string} options.api
 * @param {{name: string, text: string}} options.order
 * @param {import('./webhook-receiver.mjs').WebhookReceiver} options.receiver
 * @param {AbortSignal} options.signal
 * @returns {Promise<MainJobReport>} `problems`: what was not as it should be, a sentence each
 */
export async function runMainJob({ api, order, receiver, signal }) {
  const client = createApiClient(api, signal);
  const agentId = await findAgent(client);
  say(`\n${style.bold(order.name)}`);
  for (const line of order.text.split('\n')) say(`  ${style.dim('│')} ${line}`);

  const accepted = await client.post(`/api/agents/${agentId}/execute/`, {
    input: order.text,
    metadata: { source: 'quickstart' },
  });
  const executionId = String(accepted.id);
  say(`\n${style.bold('Execution')}  ${executionId}`);
  const execution = await follow(client, executionId, signal);
  const settledAt = Date.now();

  const problems = [
    ...judgeExecution(execution),
    ...(await showResults(client, execution)),
    ...(await awaitWebhook(receiver, execution)),
  ];
  return { agentId, executionId, problems, settledAt };
}

/** @param {import('./api-client.mjs').ApiClient} client @returns {Promise<number>} */
async function findAgent(client) {
  const agents = await client.get('/api/agents/');
  const found = agents.find((/** @type {any} */ agent) => agent.name === AGENT);
  if (found === undefined) throw new Error(`There is no agent ${AGENT}: run npm run db:migrate -- --seed.`);
  return found.id;
}

/**
 * @param {import('./api-client.mjs').ApiClient} client
 * @param {string} executionId
 * @param {AbortSignal} signal
 * @returns {Promise<any>} the execution as the `result` event reports it
 */
async function follow(client, executionId, signal) {
  const present = createEventPresenter();
  let execution;
  for await (const { event, data } of followExecution(client, executionId, signal)) {
    present(event, data);
    if (event === 'result') execution = data;
  }
  return execution;
}

/**
 * @param {import('./api-client.mjs').ApiClient} client
 * @param {any} execution
 * @returns {Promise<string[]>}
 */
async function showResults(client, execution) {
  const orderId = execution.result?.message.data.savedOrderRequestId;
  if (orderId !== undefined) sayOrder(await client.get(`/api/order-requests/${orderId}/`));
  const steps = await client.get(`/api/executions/${execution.id}/steps/`);
  if (steps.data.length > 0) saySteps(steps.data);
  if (execution.status !== 'completed') return [];
  const missing = [];
  if (orderId === undefined) missing.push('No order was saved.');
  if (steps.data.length === 0) missing.push('There is no audit row.');
  return missing;
}

/** @param {any} execution @returns {string[]} */
function judgeExecution(execution) {
  const { usage } = execution;
  const tokens = usage === null ? '' : `, ${usage.total_tokens} tokens`;
  const sign = execution.status === 'completed' ? style.green('✓') : style.red('✗');
  say(`  ${sign} ${execution.status}${tokens}`);
  if (execution.status === 'completed') return [];
  const reason = execution.error?.message ?? execution.incomplete_details?.reason ?? 'no reason given';
  return [`The execution ended as ${execution.status}: ${reason}`];
}

/**
 * @param {import('./webhook-receiver.mjs').WebhookReceiver} receiver
 * @param {any} execution
 * @returns {Promise<string[]>}
 */
async function awaitWebhook(receiver, execution) {
  // Late deliveries of an earlier quickstart may still come: they are not judged here.
  const delivery = await receiver.next((one) => one.executionId === execution.id, WEBHOOK_LIMIT_MS);
  const heading = `\n${style.bold('Webhook')} `;
  if (delivery === null) {
    say(`${heading} ${style.red('✗')} none within ${WEBHOOK_LIMIT_MS / 1_000} s`);
    return ['No webhook arrived.'];
  }
  if (delivery.verdict === 'refused') {
    say(`${heading} ${style.red('✗')} refused: ${delivery.reason}`);
    return [`The webhook's signature is wrong: ${delivery.reason}`];
  }
  say(`${heading} ${style.green('✓')} ${delivery.type}, signature verified, webhook-id ${delivery.id}`);
  const expected = `execution.${execution.status}`;
  return delivery.type === expected ? [] : [`The webhook says ${delivery.type} where ${expected} was due.`];
}
