import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { WebhookWorld } from './webhook-world.js';

const OTHER_KEY = `k2:${Buffer.alloc(32, 8).toString('base64')}`;

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
});
afterAll(() => world.close());

/** Names of the secrets that verify the last request. */
function verifying(secrets: Readonly<Record<string, string>>): string[] {
  const last = world.receiver.requests.at(-1);
  const verifies = (secret: string): boolean => {
    try {
      new Webhook(secret).verify(last?.body ?? '', last?.headers ?? {});
      return true;
    } catch {
      return false;
    }
  };
  return Object.entries(secrets).flatMap(([name, secret]) => (verifies(secret) ? [name] : []));
}

describe('a secret that is rotated', () => {
  it('signs beside the new one for a day, also what was frozen before, then the new one signs alone (W5)', async () => {
    const { id, secret: old } = await world.register();
    const delivery = await world.notify(id);
    world.behaviour = (_request, response) => response.writeHead(500).end();
    await world.attempt(delivery.id);
    expect(verifying({ old })).toEqual(['old']);

    const rotated = await world.rotate(id);
    const both = { old, fresh: rotated.secret };
    await world.attempt(delivery.id);
    expect(verifying(both)).toEqual(['old', 'fresh']);
    const [expiry] = await world.dataSource.query<[{ hours: string }]>(
      `SELECT round(extract(epoch FROM previous_secret_expires_at - now()) / 3600) AS hours FROM webhook_endpoint WHERE id = $1`,
      [id],
    );
    expect(expiry.hours).toBe('24');
    expect(Date.parse(rotated.previous_secret_expires_at ?? '')).toBeGreaterThan(Date.now());

    await world.dataSource.query(
      `UPDATE webhook_endpoint SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    world.behaviour = (_request, response) => response.writeHead(204).end();
    await world.attempt(delivery.id);
    expect(verifying(both)).toEqual(['fresh']);
  });

  it('signs no more after a second rotation', async () => {
    const { id, secret: first } = await world.register();
    const second = (await world.rotate(id)).secret;
    const third = (await world.rotate(id)).secret;
    await world.attempt((await world.notify(id)).id);
    expect(verifying({ first, second, third })).toEqual(['second', 'third']);
  });
});

describe('a secret', () => {
  it('is in no row, log line or answer but the one that shows it', async () => {
    const { id, secret: old } = await world.register();
    const { secret } = await world.rotate(id);
    const delivery = await world.notify(id);
    world.behaviour = (_request, response) => response.writeHead(500).end();
    await world.attempt(delivery.id);
    world.behaviour = (_request, response) => response.writeHead(204).end();
    const paths = ['webhook-endpoints/', `webhook-endpoints/${id}/`, 'webhook-deliveries/'];
    const answers = [];
    for (const path of [...paths, `webhook-deliveries/${delivery.id}/`])
      answers.push((await world.ask(`/api/${path}`)).text);
    answers.push((await world.redeliver(delivery.id)).text);
    const url = `${world.receiver.url}/moved`;
    answers.push((await world.ask(`/api/webhook-endpoints/${id}/`, { method: 'PATCH', json: { url } })).text);
    const rows: unknown = await world.dataSource.query(
      `SELECT endpoint::text, delivery::text, attempt::text FROM webhook_endpoint endpoint
         LEFT JOIN webhook_delivery delivery ON delivery.endpoint_id = endpoint.id
         LEFT JOIN webhook_attempt attempt ON attempt.delivery_id = delivery.id`,
    );

    const everything = [...answers, JSON.stringify(rows), ...world.api.log, ...world.workerLog].join('\n');
    expect(everything).toContain(delivery.id);
    for (const canary of [old, secret].map((text) => text.replace('whsec_', '')))
      expect(everything).not.toContain(canary);
    expect(everything).not.toContain('whsec_');
    expect(JSON.stringify(answers)).not.toContain('v1.k1.');
  });

  it.each([
    ['is not configured', null],
    ['is another one', OTHER_KEY],
  ])(
    'sends nothing and is retried later when it cannot be decrypted, since the key %s',
    async (_name, key) => {
      const { id } = await world.register();
      const delivery = await world.notify(id);
      const before = world.receiver.requests.length;

      const after = await world.attempt(delivery.id, key);

      expect(after).toMatchObject({ status: 'pending', attempts: [{ error: 'invalid_secret' }] });
      expect(world.receiver.requests).toHaveLength(before);
      expect(world.workerLog.join('')).toContain('a webhook cannot be signed');
      expect(await world.attempt(delivery.id)).toMatchObject({ status: 'delivered', attempt_count: 2 });
    },
  );

  it('does not open for another endpoint', async () => {
    const mine = await world.register();
    const other = await world.register();
    await world.dataSource.query(
      `UPDATE webhook_endpoint SET secret_sealed = (SELECT secret_sealed FROM webhook_endpoint WHERE id = $2) WHERE id = $1`,
      [mine.id, other.id],
    );
    const delivery = await world.attempt((await world.notify(mine.id)).id);
    expect(delivery).toMatchObject({ attempts: [{ error: 'invalid_secret' }] });
  });
});
