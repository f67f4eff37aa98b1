import type { Mutant } from './mutant.js';

const ROOM = 'apps/worker/src/webhooks/send-room.ts';
const ROOM_SPEC = 'apps/worker/src/webhooks/send-room.spec.ts';
const SECRETS = 'apps/worker/src/webhooks/webhook-secrets.ts';
const SECRETS_SPEC = 'apps/worker/src/webhooks/webhook-secrets.spec.ts';
const BORN = 'apps/worker/src/webhooks/born-deliveries.ts';
const BORN_SPEC = 'test/integration/webhooks/born-deliveries.spec.ts';
const OUTBOX = 'libs/persistence/src/webhooks/webhook-outbox.ts';
const BIRTH_ROOM_SPEC = 'test/integration/webhooks/birth-room.spec.ts';

/** Inline webhook delivery: the limits of receivers hold, and no delivery is lost. */
export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  {
    row: 'webhooks',
    file: ROOM,
    find: 'Math.max(0, Math.ceil((limit - place) / workers))',
    replace: 'limit',
    spec: [ROOM_SPEC, BIRTH_ROOM_SPEC],
    why: 'each of several workers sends as many requests at once as all of them may',
  },
  {
    row: 'webhooks',
    file: ROOM,
    find: 'if (this.claims.size > 0) await Promise.allSettled(this.claims);',
    replace: '',
    spec: ROOM_SPEC,
    why: 'a claim that was granted and not yet answered is not counted',
  },
  {
    row: 'webhooks',
    file: ROOM,
    find: 'if (this.standing === null || standing.seenAt >= this.standing.seenAt) this.standing',
    replace: 'this.standing',
    spec: ROOM_SPEC,
    why: 'an old answer about the workers wins over a newer one',
  },
  {
    row: 'webhooks',
    file: SECRETS,
    find: 'this.remember(`${place} ${secret}`',
    replace: 'this.remember(secret',
    spec: SECRETS_SPEC,
    why: 'a secret that was opened once opens for another tenant',
  },
  {
    row: 'webhooks',
    file: BORN,
    find: '.then((leased) => this.take(leased))',
    replace: '.then(() => undefined)',
    spec: BORN_SPEC,
    why: 'a webhook waits for a minute where the answer of its commit was lost',
  },
  {
    row: 'webhooks',
    file: OUTBOX,
    find: 'THEN has_room_for_webhook(tenant_id, receiver, offered.sender, offered.tenant_concurrency) END',
    replace: 'THEN true END',
    spec: BIRTH_ROOM_SPEC,
    why: 'a paused receiver is called, and claims are not counted',
  },
];
