import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { generateWebhookSecret } from '#libs/secrets';
import { WebhookSender, type SendResult } from '../../../apps/worker/src/webhooks/webhook-sender.js';
import { Receiver } from './receiver.js';
import { selfSignedCertificate } from './self-signed-certificate.js';

const REFUSED: SendResult = { kind: 'unanswered', reason: 'invalid_certificate' };

describe('a webhook over TLS', () => {
  const identity = selfSignedCertificate('webhooks.example');
  let receiver: Receiver;
  const senders: WebhookSender[] = [];
  beforeAll(async () => {
    receiver = await Receiver.listen((_request, response) => response.writeHead(204).end(), identity);
  });
  afterEach(async () => {
    for (const sender of senders.splice(0)) await sender.close();
  });
  afterAll(() => receiver.close());

  function send(host: string, trusted: { readonly ca?: string }): Promise<SendResult> {
    const sender = new WebhookSender({
      allowLoopback: true,
      lookup: (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
      ...trusted,
    });
    senders.push(sender);
    const url = `https://${host}:${receiver.port}/hook`;
    return sender.send({
      id: 'msg_1',
      timestamp: new Date(),
      body: '{}',
      url,
      secrets: [generateWebhookSecret()],
    });
  }

  it('is delivered when the certificate is trusted and made for that name', async () => {
    expect(await send('webhooks.example', { ca: identity.cert })).toMatchObject({ statusCode: 204 });
    expect(receiver.requests).toHaveLength(1);
  });

  it.each<[string, string, { readonly ca?: string }]>([
    ['is made for another name', 'other.example', { ca: identity.cert }],
    ['is made for a name and an address is called', '127.0.0.1', { ca: identity.cert }],
    ['is not trusted', 'webhooks.example', {}],
  ])('is not delivered when the certificate %s', async (_name, host, trusted) => {
    const before = receiver.requests.length;
    expect(await send(host, trusted)).toEqual(REFUSED);
    expect(receiver.requests).toHaveLength(before);
  });
});
