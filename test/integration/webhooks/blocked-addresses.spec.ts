import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { GuardedFetchOptions } from '#libs/guarded-fetch';
import { generateWebhookSecret } from '#libs/secrets';
import { WebhookSender, type SendResult } from '../../../apps/worker/src/webhooks/webhook-sender.js';
import { HOSTILE_HOSTS, HOSTILE_URLS } from '../../support/hostile-addresses.js';
import { Receiver } from './receiver.js';

const BLOCKED: SendResult = { kind: 'unanswered', reason: 'blocked_address' };
const INVALID: SendResult = { kind: 'unanswered', reason: 'invalid_url' };
const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 };
const OTHER_LOOPBACK: LookupAddress = { address: '127.0.0.2', family: 4 };
const PUBLIC: LookupAddress = { address: '93.184.215.14', family: 4 };

/** A DNS resolver that answers the nth lookup with the nth list, then repeats the last one, and counts lookups. */
function resolver(...answers: readonly (readonly LookupAddress[])[]): {
  lookup: LookupFunction;
  asked: () => number;
} {
  let asked = 0;
  return {
    asked: () => asked,
    lookup: (_hostname, _options, callback) => {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      callback(null, [...answer]);
    },
  };
}

describe('a webhook to an address that is not public', () => {
  let canary: Receiver;
  const senders: WebhookSender[] = [];
  beforeAll(async () => {
    canary = await Receiver.listen((_request, response) => response.end('should never be asked'));
  });
  afterEach(async () => {
    for (const sender of senders.splice(0)) await sender.close();
    expect(canary.connections).toBe(0);
  });
  afterAll(() => canary.close());

  function send(url: string, options: Partial<GuardedFetchOptions> = {}): Promise<SendResult> {
    const sender = new WebhookSender({ allowLoopback: false, timeoutMs: 5_000, ...options });
    senders.push(sender);
    const secrets = [generateWebhookSecret()];
    return sender.send({ id: 'msg_1', timestamp: new Date(), body: '{}', url, secrets });
  }

  it.each(HOSTILE_HOSTS)('http://%s is blocked', async (host) => {
    expect(await send(`http://${host}:${canary.port}/`)).toEqual(BLOCKED);
    expect(await send(`https://${host}:${canary.port}/`)).toEqual(BLOCKED);
  });

  it.each(HOSTILE_URLS)('%j is no URL for a webhook', async (url) => {
    expect(await send(url)).toEqual(INVALID);
  });

  it.each([
    ['a private address', [{ address: '10.0.0.1', family: 4 }]],
    ['a public and a loopback address', [PUBLIC, LOOPBACK]],
    ['a loopback and a public address', [LOOPBACK, PUBLIC]],
    ['a mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['something that is no address', [{ address: 'localhost', family: 4 }]],
    ['no address', []],
  ])('a name that resolves to %s is blocked', async (_name, answer) => {
    const { lookup } = resolver(answer);
    expect(await send(`http://internal.example:${canary.port}/`, { lookup })).toEqual(BLOCKED);
  });

  it('stays blocked when loopback is allowed but the address is another internal one', async () => {
    expect(await send(`http://10.0.0.1:${canary.port}/`, { allowLoopback: true })).toEqual(BLOCKED);
    expect(await send(`http://0.0.0.0:${canary.port}/`, { allowLoopback: true })).toEqual(BLOCKED);
  });

  it('is connected to as it was checked: a name that changes its answer is not asked again (W7)', async () => {
    const chosen = await Receiver.listen((_request, response) => response.end(), undefined, '127.0.0.2');
    const rebinding = resolver([OTHER_LOOPBACK], [LOOPBACK]);
    const options = { allowLoopback: true, lookup: rebinding.lookup };
    expect(await send(`http://rebinding.example:${chosen.port}/`, options)).toMatchObject({
      kind: 'answered',
    });
    expect(rebinding.asked()).toBe(1);
    expect(chosen.requests).toHaveLength(1);
    await chosen.close();
  });

  it('is checked again at every new connection (W7)', async () => {
    const chosen = await Receiver.listen(
      (_request, response) => response.writeHead(200, { connection: 'close' }).end(),
      undefined,
      '127.0.0.2',
    );
    const { lookup } = resolver([OTHER_LOOPBACK], [{ address: '10.0.0.1', family: 4 }]);
    const sender = new WebhookSender({ allowLoopback: true, timeoutMs: 5_000, lookup });
    senders.push(sender);
    const message = {
      id: 'msg_1',
      timestamp: new Date(),
      body: '{}',
      url: `http://rebinding.example:${chosen.port}/`,
      secrets: [generateWebhookSecret()],
    };
    expect(await sender.send(message)).toMatchObject({ kind: 'answered' });
    expect(await sender.send(message)).toEqual(BLOCKED);
    await chosen.close();
  });
});
