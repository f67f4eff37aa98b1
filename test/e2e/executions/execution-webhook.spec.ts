import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { executionViewSchema, type ExecutionView } from '#libs/payloads';
import { Receiver } from '../../integration/webhooks/receiver.js';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { WebhookReceiver } from '../../support/services/webhook-receiver.js';

/** More deliveries than a worker sends at once. */
const MANY = 30;

describe('executions with webhooks of their own, with the queue in PostgreSQL', () => {
  ownWebhooks('postgres');
});
describeWithRedis('executions with webhooks of their own, with the queue in Redis', () => {
  ownWebhooks('redis');
});

function ownWebhooks(backend: QueueBackend): void {
  let deployment: Deployment;
  let api: ApiClient;
  let receiver: WebhookReceiver;
  let silent: Receiver;

  beforeAll(async () => {
    deployment = await Deployment.open(backend);
    const [started] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
    api = new ApiClient(started.url);
    receiver = await WebhookReceiver.listen();
    silent = await Receiver.listen(() => undefined);
  });
  afterAll(async () => {
    await silent.close();
    await receiver.close();
    await deployment.close();
  });

  it('are notified, signed with the secret of the tenant, however many messages wait for a receiver that hangs', async () => {
    const created = await api.post('/api/webhook-signing-secret/rotate/', {});
    const { secret } = (await created.json()) as { secret: string };
    const crowd = await Promise.all(
      Array.from({ length: MANY }, () => api.submit({ input: 'hello', webhook: { url: silent.url } })),
    );
    await Promise.all(crowd.map(({ id }) => api.settled(id)));
    await waitFor(() => silent.requests.length > 0, { description: 'the silent receiver to be called' });

    const submitted = await api.submit({ input: 'hello', webhook: { url: receiver.url } });
    // A webhook does not repeat the request.
    const view = executionViewSchema.parse(await api.settled(submitted.id));
    const webhook = await waitFor(() => receiver.received[0], { description: 'the webhook' });

    const body = new Webhook(secret).verify(webhook.body, webhook.headers) as { data: ExecutionView };
    expect(body).toEqual({ type: 'execution.completed', timestamp: view.finished_at, data: view });
    const [, ...others] = receiver.received;
    expect(others).toEqual([]);
  });

  it('reach a receiver that works one after the other, all of them', async () => {
    receiver.received.length = 0;
    const crowd = await Promise.all(
      Array.from({ length: MANY }, () => api.submit({ input: 'hello', webhook: { url: receiver.url } })),
    );
    await waitFor(() => receiver.received.length === MANY, {
      description: 'every webhook',
    });
    const reported = receiver.received.map(
      ({ body }) => (JSON.parse(body) as { data: ExecutionView }).data.id,
    );
    expect(new Set(reported)).toEqual(new Set(crowd.map(({ id }) => id)));
  });
}
