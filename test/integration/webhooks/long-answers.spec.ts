import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MAX_WEBHOOK_BYTES, webhookBodySchema } from '#libs/payloads';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
});
afterAll(() => world.close());

it('the webhook of a long answer is short, the same at every attempt, and says where the whole is', async () => {
  const executionId = await world.submit();
  await world.run(executionId, '発注'.repeat(50_000));
  const delivery = await world.findOwn(executionId);
  world.behaviour = (_request, response) => response.writeHead(500).end();
  await world.attempt(delivery.id);
  world.behaviour = (_request, response) => response.writeHead(204).end();
  await world.attempt(delivery.id);

  const [first, second] = world.receiver.requests;
  expect(Buffer.byteLength(first?.body ?? '')).toBeLessThanOrEqual(MAX_WEBHOOK_BYTES);
  expect(second?.body).toBe(first?.body);
  const { data } = webhookBodySchema.parse(JSON.parse(first?.body ?? ''));
  expect(data).toMatchObject({ id: executionId, status: 'completed', truncated: true });
  expect(data.result?.message.content).toMatch(/^(発注?)+\n\[the rest was cut off]$/);
  const whole = await world.ask(data.result_url ?? '');
  expect(whole.body).toMatchObject({ result: { message: { content: '発注'.repeat(50_000) } } });
});
