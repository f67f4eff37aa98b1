import type { ChaosWorld } from '../ledgers/chaos-world.js';
import { groupBy, SETTLED, type Violation } from './violation.js';

/** I14: every ending is delivered to the endpoint at least once, always under one id and with the same bytes. */
export function checkWebhooksArrive(world: ChaosWorld): Violation[] {
  const deliveries = groupBy(world.database.deliveries, (delivery) => delivery.executionId);
  const received = groupBy(world.webhooks, (webhook) => webhook.id);
  const notified = new Set(world.database.tenantsWithEndpoint);
  const violations: Violation[] = [];
  const broken = (subject: string, detail: string) => violations.push({ invariant: 'I14', subject, detail });

  for (const execution of world.database.executions) {
    if (!notified.has(execution.tenantId) || !SETTLED.has(execution.status)) continue;
    const own = deliveries.get(execution.id) ?? [];
    const type = `execution.${execution.status}`;
    if (own.length !== 1 || own[0]?.type !== type)
      broken(
        execution.id,
        `${type} has these webhooks: ${own.map((delivery) => delivery.type).join() || 'none'}`,
      );
  }
  for (const delivery of world.database.deliveries) {
    const requests = received.get(delivery.id) ?? [];
    if (delivery.status === 'pending')
      broken(delivery.id, `is pending after ${delivery.attemptCount} attempts`);
    else if (delivery.status === 'exhausted')
      broken(
        delivery.id,
        `was given up after ${requests.length} requests, to a receiver that takes everything`,
      );
    else if (delivery.status === 'delivered' && !requests.some(wasTaken))
      broken(delivery.id, 'is delivered, but the receiver never took it');
    if (requests.some((request) => request.body !== delivery.body))
      broken(delivery.id, 'came with another body than was stored');
  }
  const known = new Set(world.database.deliveries.map((delivery) => delivery.id));
  for (const id of received.keys()) if (!known.has(id)) broken(id, 'came, but is not stored');
  return violations;
}

function wasTaken(webhook: { readonly answeredWith: number | null }): boolean {
  return webhook.answeredWith !== null && webhook.answeredWith >= 200 && webhook.answeredWith < 300;
}

/** I15: every delivery has a valid signature and a fresh timestamp. */
export function checkSignatures(world: ChaosWorld): Violation[] {
  return world.webhooks
    .filter((webhook) => !webhook.isSignatureValid)
    .map((webhook) => ({ invariant: 'I15', subject: webhook.id, detail: 'its signature does not verify' }));
}
