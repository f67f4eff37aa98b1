import type { WorkerDoors } from '#libs/executions';
import type { ExecutionAcceptanceStore, WebhookDeliveryStore } from '#libs/persistence';
import type { JobProducer } from '#libs/queue';
import { z } from 'zod';
import type { InlineDeliverer } from '../../../apps/worker/src/webhooks/inline-deliverer.js';
import type { WebhookSender } from '../../../apps/worker/src/webhooks/webhook-sender.js';
import type { Failpoints } from './failpoints.js';
import { withMethods } from './with-methods.js';

const webhookBodySchema = z.object({ data: z.object({ id: z.string() }) });

export function breakableAcceptances(
  acceptances: ExecutionAcceptanceStore,
  failpoints: Failpoints,
): ExecutionAcceptanceStore {
  return withMethods(acceptances, {
    accept: async (submission) => {
      await failpoints.reach('accept.before_commit', submission.executionId);
      const acceptance = await acceptances.accept(submission);
      await failpoints.reach('accept.after_commit', submission.executionId);
      return acceptance;
    },
  });
}

export function breakableJobs(jobs: JobProducer, failpoints: Failpoints): JobProducer {
  return withMethods(jobs, {
    send: async (name, newJobs) => {
      const executionIds = newJobs.flatMap(({ payload }) =>
        'executionId' in payload ? [payload.executionId] : [],
      );
      const reachAll = (point: 'dispatch.after_mark_before_send' | 'dispatch.after_send') =>
        Promise.all(executionIds.map((id) => failpoints.reach(point, id)));
      await reachAll('dispatch.after_mark_before_send');
      await jobs.send(name, newJobs);
      await reachAll('dispatch.after_send');
    },
  });
}

/** Workers that executions are handed to. */
export function breakableDoors(doors: WorkerDoors, failpoints: Failpoints): WorkerDoors {
  return withMethods(doors, {
    find: async (known) =>
      (await doors.find(known)).map((door) =>
        withMethods(door, {
          hand: async (assignments) => {
            const reachAll = (point: 'hand.before' | 'hand.after') =>
              Promise.all(assignments.map(({ executionId }) => failpoints.reach(point, executionId)));
            await reachAll('hand.before');
            const free = await door.hand(assignments);
            await reachAll('hand.after');
            return free;
          },
        }),
      ),
  });
}

/** Shortens the lease of a delivery, which in production outlives every attempt, so that a test sees the next attempt. */
export function impatientDeliveries(deliveries: WebhookDeliveryStore, leaseMs: number): WebhookDeliveryStore {
  return withMethods(deliveries, {
    claim: (id, options) => deliveries.claim(id, { ...options, leaseMs }),
  });
}

/** Shortens the lease of a delivery that is claimed with its creation. */
export function impatientInlineDeliveries(
  inlineDeliveries: InlineDeliverer,
  leaseMs: number,
): InlineDeliverer {
  return withMethods(inlineDeliveries, {
    open: (executions) => {
      const opened = inlineDeliveries.open(executions);
      return { ...opened, offer: opened.offer && { ...opened.offer, lease_ms: leaseMs } };
    },
  });
}

export function breakableSender(sender: WebhookSender, failpoints: Failpoints): WebhookSender {
  return withMethods(sender, {
    send: async (message) => {
      const executionId = webhookBodySchema.parse(JSON.parse(message.body)).data.id;
      await failpoints.reach('webhook.before_post', executionId);
      const result = await sender.send(message);
      await failpoints.reach('webhook.after_post_before_record', executionId);
      return result;
    },
  });
}
