import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { unwrapWebhook } from './unwrap-webhook.js';

const NOW = new Date('2026-11-28T10:00:00Z');
const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const OTHER = `whsec_${randomBytes(32).toString('base64')}`;
const BODY = '{"type":"execution.completed","timestamp":"2026-11-28T10:00:00Z","data":{"id":"é"}}';

/** Headers as another implementation signs them. */
function signed(secrets: readonly string[] = [SECRET], at = NOW): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign('msg_1', at, BODY));
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

const unwrap = (
  body: string | Uint8Array,
  headers: Record<string, string> | Headers,
  secret: string | string[] = SECRET,
): Promise<unknown> => unwrapWebhook(body, headers, secret, NOW.getTime());

const secondsOff = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

describe('a webhook', () => {
  it('is read where its signature holds', async () => {
    const event = await unwrap(BODY, signed());
    expect(event).toEqual(JSON.parse(BODY));
  });

  it('may be bytes, and have headers of any case and kind', async () => {
    const bytes = new TextEncoder().encode(BODY);
    await expect(unwrap(bytes, new Headers(signed()))).resolves.toBeDefined();
    const upper = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]),
    );
    await expect(unwrap(BODY, upper)).resolves.toBeDefined();
  });

  it('needs one signature of several, and one secret of several', async () => {
    await expect(unwrap(BODY, signed([OTHER, SECRET]))).resolves.toBeDefined();
    await expect(unwrap(BODY, signed([OTHER]), [SECRET, OTHER])).resolves.toBeDefined();
  });

  it.each([-299, 299])('may be %s seconds off', async (seconds) => {
    await expect(unwrap(BODY, signed([SECRET], secondsOff(seconds)))).resolves.toBeDefined();
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['another body', () => unwrap(`${BODY} `, signed()), 'No signature'],
    ['another secret', () => unwrap(BODY, signed([OTHER])), 'No signature'],
    ['another id', () => unwrap(BODY, { ...signed(), 'webhook-id': 'msg_2' }), 'No signature'],
    [
      'no signature',
      () => unwrap(BODY, { ...signed(), 'webhook-signature': '' }),
      'webhook-signature is missing',
    ],
    [
      'a signature of another kind',
      () => unwrap(BODY, { ...signed(), 'webhook-signature': 'v1a,AAAA' }),
      'No signature',
    ],
    ['an age of six minutes', () => unwrap(BODY, signed([SECRET], secondsOff(-360))), 'five minutes'],
    ['a time of six minutes ahead', () => unwrap(BODY, signed([SECRET], secondsOff(360))), 'five minutes'],
    ['no time', () => unwrap(BODY, { ...signed(), 'webhook-timestamp': 'now' }), 'five minutes'],
    ['a secret that is none', () => unwrap(BODY, signed(), 'whsec_***'), 'no base64'],
  ])('is refused with %s', async (_name, asked, message) => {
    await expect(asked()).rejects.toMatchObject({
      name: 'WebhookError',
      message: expect.stringContaining(message),
    });
  });
});
