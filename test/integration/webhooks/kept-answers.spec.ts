import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
});
afterAll(() => world.close());

it('a delivery shows what each attempt has sent and what the receiver has answered, without secrets', async () => {
  const endpoint = await world.register();
  const delivery = await world.notify(endpoint.id);
  world.behaviour = (request, response) => {
    const signature = String(request.headers['webhook-signature']);
    response
      .writeHead(500, { 'content-type': 'text/html' })
      .end(`<b>bad</b> \0${signature} ${endpoint.secret}`);
  };
  await world.attempt(delivery.id);
  world.behaviour = (_request, response) => response.writeHead(200).end('y'.repeat(5_000));

  const { attempts } = await world.attempt(delivery.id);

  const [headers = {}, second = {}] = world.receiver.requests
    .map((request) => request.headers)
    .filter((sentHeaders) => sentHeaders['webhook-id'] === delivery.id);
  expect(attempts).toMatchObject([
    { answer: { content_type: 'text/html', truncated: false }, status_code: 500 },
    { answer: { content_type: null, body: 'y'.repeat(2_000), truncated: true }, status_code: 200 },
  ]);
  expect(headers).toMatchObject(attempts[0]?.request_headers ?? {});
  expect(second).toMatchObject(attempts[1]?.request_headers ?? {});
  expect(attempts[0]?.answer?.body).toMatch(/^<b>bad<\/b> /);
  const whole = JSON.stringify(attempts);
  const signed = headers['webhook-signature']?.split(',')[1] ?? '';
  for (const secret of [signed, endpoint.secret]) expect(whole).not.toContain(secret);
  expect(world.workerLog.join('\n')).not.toContain('<b>bad</b>');
});
