import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { executionViewSchema, type ExecutionView } from '#libs/payloads';
import { whenAllRun } from '../../support/selection.js';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { WebhookReceiver } from '../../support/services/webhook-receiver.js';

const ORDER = readFileSync(
  join(import.meta.dirname, '../../../examples/order-entry/texts/01-email-english.txt'),
  'utf8',
);

describe('an order goes the whole way, with the queue in PostgreSQL', () => {
  mainJob('postgres');
});
describeWithRedis('an order goes the whole way, with the queue in Redis', () => {
  mainJob('redis');
});

whenAllRun(() => {
  describe('an order goes the whole way through one process that is API and worker', () => {
    mainJob('postgres', 'one process');
  });
});

function mainJob(backend: QueueBackend, processes: 'one process' | 'two' = 'two'): void {
  let deployment: Deployment;
  let api: ApiClient;
  let receiver: WebhookReceiver;
  let secret: string;

  beforeAll(async () => {
    deployment = await Deployment.open(backend);
    const [started] =
      processes === 'two'
        ? await Promise.all([deployment.startApi(), deployment.startWorker()])
        : [await deployment.startWhole()];
    api = new ApiClient(started.url);
    receiver = await WebhookReceiver.listen();
    const created = await api.post('/api/webhook-endpoints/', {
      url: receiver.url,
      events: ['execution.completed'],
    });
    secret = ((await created.json()) as { secret: string }).secret;
  });
  afterAll(async () => {
    await receiver.close();
    await deployment.close();
  });

  it('submit, tools, order, audit, events, signed webhook', async () => {
    const submitted = await api.submit({ input: ORDER, metadata: { source: 'email' } });
    const events = await api.events(submitted.id);
    const read = await api.settled(submitted.id);
    expect(read).toMatchObject({ input: ORDER.trim(), executor: null, input_truncated: false });
    // Events and webhooks do not repeat the request.
    const view = executionViewSchema.parse(read);
    expect(view).toMatchObject({ status: 'completed', attempt: 1, metadata: { source: 'email' } });

    expect(events.map((event) => Number(event.id))).toEqual(events.map((_, index) => index + 1));
    const names = events.map((event) => event.event);
    expect(names.slice(0, 3)).toEqual(['status', 'session_start', 'status']);
    expect(names).toEqual(expect.arrayContaining(['tool_use', 'tool_result', 'text_delta']));
    expect(names.at(-1)).toBe('result');
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({ ...view, title_pending: false });

    const orderId = Number(view.result?.message.data['savedOrderRequestId']);
    const order = await api.get<{ items: { item_num: string; quantity: number }[] }>(
      `/api/order-requests/${orderId}/`,
    );
    expect(order.items).toContainEqual(expect.objectContaining({ item_num: 'VEG-1010', quantity: 3 }));

    const steps = await api.get<{ data: { tool_name: string; status: string }[] }>(
      `/api/executions/${view.id}/steps/`,
    );
    expect(steps.data.map((step) => step.tool_name)).toEqual(
      expect.arrayContaining(['search_items', 'save_order_draft']),
    );
    expect(steps.data.every((step) => step.status === 'succeeded')).toBe(true);

    const messages = await api.get<{ data: { role: string }[] }>(
      `/api/sessions/${view.session_uuid}/messages/`,
    );
    expect(messages.data.map((message) => message.role)).toEqual(['system', 'user', 'assistant']);

    const webhook = await waitFor(() => receiver.received[0], { description: 'the webhook' });
    const body = new Webhook(secret).verify(webhook.body, webhook.headers) as {
      type: string;
      data: ExecutionView;
    };
    expect(body).toEqual({ type: 'execution.completed', timestamp: view.finished_at, data: view });
  });

  it('answers in the same request with Prefer: wait, and the same execution for the same Idempotency-Key', async () => {
    const headers = { prefer: 'wait=20', 'idempotency-key': 'order-1' };
    const first = await api.post('/api/agents/1/execute/', { input: 'hello there' }, headers);
    expect(first.status).toBe(200);
    const answer = (await first.json()) as { execution_id: string; result: { message: { role: string } } };
    expect(answer.result.message.role).toBe('assistant');
    const again = await api.post('/api/agents/1/execute/', { input: 'hello there' }, headers);
    expect(((await again.json()) as { execution_id: string }).execution_id).toBe(answer.execution_id);
  });
}

whenAllRun(() => {
  describe('a model that refuses the key', () => {
    it('fails the execution with SDK_ERROR and keeps everything else going', async () => {
      const deployment = await Deployment.open('postgres', { OPENAI_API_KEY: 'sk-invalid' });
      try {
        const [{ url }, worker] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
        const api = new ApiClient(url);
        const submitted = await api.submit({ input: ORDER });
        const view = await api.settled(submitted.id);
        expect(view).toMatchObject({ status: 'failed', error: { code: 'SDK_ERROR' }, result: null });
        expect(JSON.stringify(view)).not.toContain('sk-invalid');
        expect(worker.log).not.toContain('sk-invalid');
        expect(worker.hasEnded).toBe(false);
      } finally {
        await deployment.close();
      }
    });
  });
});
