import { z } from 'zod';
import { say, style } from '../local/terminal.ts';
import { createApiClient, type ApiClient } from './api-client.ts';
import type { Example, ExampleInput } from './example.ts';
import { followExecution } from './follow-execution.ts';
import { createEventPresenter } from './present-events.ts';
import { saySteps, STEPS } from './present-steps.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

const WEBHOOK_LIMIT_MS = 30_000;

const AGENTS = z.array(z.object({ id: z.number(), name: z.string() }));
const ACCEPTED = z.object({ id: z.string() });
/** The fields read from a settled execution. */
const EXECUTION = z.object({
  id: z.string(),
  status: z.string(),
  result: z.unknown(),
  usage: z.object({ total_tokens: z.number().nullable() }).nullable(),
  error: z.object({ message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
});
type Execution = z.infer<typeof EXECUTION>;

export interface ExampleReport {
  readonly agentId: number;
  readonly executionId: string;
  /** Problems found, a sentence each. */
  readonly problems: readonly string[];
  /** Unix time, in ms. */
  readonly settledAt: number;
}

/** Submits an input, follows its execution, and prints result, audit rows and webhook. */
export async function runExample(options: {
  api: string;
  apiKey: string | null;
  example: Example;
  input: ExampleInput;
  receiver: WebhookReceiver;
  signal: AbortSignal;
}): Promise<ExampleReport> {
  const { api, apiKey, example, input, receiver, signal } = options;
  const client = createApiClient(api, signal, apiKey);
  const agentId = await findAgent(client, example.agent);
  say(`\n${style.bold(input.name)}`);
  for (const line of input.text.split('\n')) say(`  ${style.dim('│')} ${line}`);

  const submission = { input: input.text, metadata: { source: 'quickstart' } };
  const { id: executionId } = await client.post(`/api/agents/${agentId}/execute/`, submission, ACCEPTED);
  say(`\n${style.bold('Execution')}  ${executionId}`);
  const execution = await follow(client, executionId, signal);
  const settledAt = Date.now();

  const problems = [
    ...evaluateExecution(execution),
    ...(await showResults(client, example, execution)),
    ...(await awaitWebhook(receiver, execution)),
  ];
  return { agentId, executionId, problems, settledAt };
}

async function findAgent(client: ApiClient, name: string): Promise<number> {
  const agents = await client.get('/api/agents/', AGENTS);
  const found = agents.find((agent) => agent.name === name);
  if (found === undefined) throw new Error(`There is no agent ${name}: run npm run db:migrate -- --seed.`);
  return found.id;
}

/** @returns the execution from the `result` event */
async function follow(client: ApiClient, executionId: string, signal: AbortSignal): Promise<Execution> {
  const present = createEventPresenter();
  let last: unknown;
  for await (const { event, data } of followExecution(client, executionId, signal)) {
    present(event, data);
    last = data;
  }
  return EXECUTION.parse(last);
}

function evaluateExecution({ status, usage, error, incomplete_details }: Execution): string[] {
  const hasCompleted = status === 'completed';
  const total = usage?.total_tokens ?? null;
  const tokens = total === null ? '' : `, ${total} tokens`;
  say(`  ${hasCompleted ? style.green('✓') : style.red('✗')} ${status}${tokens}`);
  if (hasCompleted) return [];
  const reason = error?.message ?? incomplete_details?.reason ?? 'no reason given';
  return [`The execution ended as ${status}: ${reason}`];
}

async function showResults(client: ApiClient, example: Example, execution: Execution): Promise<string[]> {
  const hasCompleted = execution.status === 'completed';
  const problems = hasCompleted ? await example.showResult(execution.result, client) : [];
  const steps = await client.get(`/api/executions/${execution.id}/steps/`, STEPS);
  if (steps.data.length > 0) saySteps(steps.data);
  return hasCompleted && steps.data.length === 0 ? [...problems, 'There is no audit row.'] : problems;
}

async function awaitWebhook(receiver: WebhookReceiver, execution: Execution): Promise<string[]> {
  // Late deliveries for an earlier quickstart are ignored.
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
