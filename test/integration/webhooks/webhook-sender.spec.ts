import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateWebhookSecret } from '#libs/secrets';
import { Webhook } from 'standardwebhooks';
import { evaluateDelivery } from '../../../apps/worker/src/webhooks/evaluate-delivery.js';
import { WebhookSender, type WebhookMessage } from '../../../apps/worker/src/webhooks/webhook-sender.js';
import { Receiver, type Behaviour } from './receiver.js';

const BODY = '{"type":"execution.completed","data":{"text":"発注 🍎 \\u2028"}}';

describe('WebhookSender', () => {
  const open: { close(): Promise<void> }[] = [];
  let sender: WebhookSender;
  let secret: string;
  beforeEach(() => {
    sender = senderWith({});
    secret = generateWebhookSecret();
  });
  afterEach(async () => {
    for (const closable of open.splice(0)) await closable.close();
  });

  function senderWith(options: { timeoutMs?: number }): WebhookSender {
    const created = new WebhookSender({ allowLoopback: true, ...options });
    open.push(created);
    return created;
  }

  async function receiverThat(behaviour: Behaviour): Promise<Receiver> {
    const receiver = await Receiver.listen(behaviour);
    open.push(receiver);
    return receiver;
  }

  function message(url: string, more: Partial<WebhookMessage> = {}): WebhookMessage {
    return { id: 'msg_1', timestamp: new Date(), body: BODY, url, secrets: [secret], ...more };
  }

  describe('a message', () => {
    it('arrives byte for byte and is verified by the standardwebhooks library', async () => {
      const receiver = await receiverThat((_request, response) => response.writeHead(204).end());
      expect(await sender.send(message(receiver.url))).toEqual({
        kind: 'answered',
        statusCode: 204,
        retryAfterMs: null,
      });

      const [received] = receiver.requests;
      expect(received).toMatchObject({ path: '/hook', body: BODY });
      expect(received?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'msg_1' });
      expect(new Webhook(secret).verify(BODY, received?.headers ?? {})).toEqual(JSON.parse(BODY));
    });

    it('is verified with the old and with the new secret while one replaces the other', async () => {
      const receiver = await receiverThat((_request, response) => response.writeHead(200).end('ok'));
      const old = generateWebhookSecret();
      await sender.send(message(receiver.url, { secrets: [secret, old] }));

      const headers = receiver.requests[0]?.headers ?? {};
      expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
      for (const known of [secret, old]) expect(() => new Webhook(known).verify(BODY, headers)).not.toThrow();
      expect(() => new Webhook(generateWebhookSecret()).verify(BODY, headers)).toThrow(
        'No matching signature',
      );
      expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow('No matching signature');
    });

    it.each([
      ['no secret', []],
      ['a secret that is none', ['whsec_short']],
    ])('with %s is not sent', async (_name, secrets) => {
      const receiver = await receiverThat((_request, response) => response.end());
      expect(await sender.send(message(receiver.url, { secrets }))).toEqual({
        kind: 'unanswered',
        reason: 'invalid_secret',
      });
      expect(receiver.connections).toBe(0);
    });
  });

  describe('an answer', () => {
    it.each([301, 302, 303, 307, 308])('%i is not followed (W2)', async (status) => {
      const elsewhere = await receiverThat((_request, response) => response.end());
      const receiver = await receiverThat((_request, response) =>
        response.writeHead(status, { location: elsewhere.url }).end(),
      );
      const result = await sender.send(message(receiver.url));
      expect(result).toMatchObject({ kind: 'answered', statusCode: status });
      expect(evaluateDelivery(result, 1, 0)).toEqual({ kind: 'retry', delayMs: 5_000 });
      expect(elsewhere.connections).toBe(0);
    });

    it('410 disables the endpoint (W3)', async () => {
      const receiver = await receiverThat((_request, response) => response.writeHead(410).end('gone'));
      const result = await sender.send(message(receiver.url));
      expect(evaluateDelivery(result, 1, 0)).toEqual({ kind: 'endpoint_disabled' });
    });

    it.each([
      ['120', 120_000],
      [new Date(1_800_000_600_000).toUTCString(), 600_000],
      ['soon', null],
      ['-5', null],
    ])('reads Retry-After %j as a wait of %p ms (W3)', async (header, retryAfterMs) => {
      const receiver = await receiverThat((_request, response) =>
        response.writeHead(429, { 'retry-after': header }).end(),
      );
      const result = await sender.send(message(receiver.url, { timestamp: new Date(1_800_000_000_000) }));
      expect(result).toEqual({ kind: 'answered', statusCode: 429, retryAfterMs });
    });

    it('with an endless body counts, and the connection is ended (W6)', async () => {
      const ended = Promise.withResolvers<boolean>();
      let sent = 0;
      const receiver = await receiverThat((request, response) => {
        request.socket.on('close', ended.resolve);
        const chunk = Buffer.alloc(16_384, 'x');
        const pour = (): void => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        };
        response
          .writeHead(200)
          .on('drain', pour)
          .on('error', () => undefined);
        pour();
      });
      expect(await sender.send(message(receiver.url))).toMatchObject({ kind: 'answered', statusCode: 200 });
      await ended.promise;
      expect(sent).toBeLessThan(8 * 1_024 * 1_024);
    });

    it('counts although it stops in the middle of its body', async () => {
      const receiver = await receiverThat((request, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('half', () => request.socket.resetAndDestroy());
      });
      expect(await sender.send(message(receiver.url))).toMatchObject({ kind: 'answered', statusCode: 200 });
    });

    it('counts when its body never ends and the time is over', async () => {
      const receiver = await receiverThat((_request, response) => response.writeHead(202).write('and'));
      const hurried = senderWith({ timeoutMs: 300 });
      expect(await hurried.send(message(receiver.url))).toMatchObject({ kind: 'answered', statusCode: 202 });
    });
  });

  it('takes no longer than its limit, however steadily the body drips', async () => {
    const receiver = await receiverThat((_request, response) => {
      response.writeHead(200);
      const dripping = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(dripping));
    });
    const hurried = senderWith({ timeoutMs: 300 });
    expect(await hurried.send(message(receiver.url))).toMatchObject({ kind: 'answered', statusCode: 200 });
  });

  describe('no answer', () => {
    it.each<[string, Behaviour]>([
      ['hangs', () => undefined],
      ['drips its headers', (request) => void request.socket.write('HTTP/1.1 200 OK\r\nx-slow: ')],
    ])('from a receiver that %s within the limit is a timeout (W1)', async (_name, behaviour) => {
      const receiver = await receiverThat(behaviour);
      const hurried = senderWith({ timeoutMs: 300 });
      expect(await hurried.send(message(receiver.url))).toEqual({ kind: 'unanswered', reason: 'timeout' });
    });

    it('while a name is looked up is a timeout (N5)', async () => {
      const hurried = new WebhookSender({ allowLoopback: true, timeoutMs: 200, lookup: () => undefined });
      open.push(hurried);
      expect(await hurried.send(message('http://slow.example/hook'))).toEqual({
        kind: 'unanswered',
        reason: 'timeout',
      });
    });

    it('because the connection is reset after the whole request has a retry (W1)', async () => {
      const receiver = await receiverThat((request) => request.socket.resetAndDestroy());
      const result = await sender.send(message(receiver.url));
      expect(result).toEqual({ kind: 'unanswered', reason: 'connection_failed' });
      expect(evaluateDelivery(result, 2, 0)).toEqual({ kind: 'retry', delayMs: 300_000 });
      expect(receiver.requests).toHaveLength(1);
    });

    it('without a listener', async () => {
      const receiver = await Receiver.listen(() => undefined);
      await receiver.close();
      const url = `http://127.0.0.1:1/hook`;
      expect(await sender.send(message(url))).toEqual({ kind: 'unanswered', reason: 'connection_failed' });
    });

    it('because a name is unknown', async () => {
      const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
      const lost = new WebhookSender({
        allowLoopback: true,
        lookup: (_hostname, _options, callback) => callback(unknown, ''),
      });
      open.push(lost);
      expect(await lost.send(message('http://nowhere.example/'))).toEqual({
        kind: 'unanswered',
        reason: 'unknown_host',
      });
    });

    it('with bytes that are not HTTP', async () => {
      const receiver = await receiverThat((request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
      expect(await sender.send(message(receiver.url))).toEqual({
        kind: 'unanswered',
        reason: 'invalid_answer',
      });
    });
  });

  it('sends the same id and body again at a second attempt, signed anew for its time (W1, W4)', async () => {
    const receiver = await receiverThat((_request, response) => response.writeHead(500).end());
    const now = Date.now();
    for (const at of [now - 60_000, now])
      await sender.send(message(receiver.url, { timestamp: new Date(at) }));
    const [first, second] = receiver.requests;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    for (const request of [first, second]) {
      expect(() => new Webhook(secret).verify(BODY, request?.headers ?? {})).not.toThrow();
    }
  });
});
