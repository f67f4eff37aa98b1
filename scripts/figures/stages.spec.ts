import { expect, it } from '@jest/globals';
import { countByStage } from './stages.ts';

it.each([
  ['HTTP', 'apps/api/src/http/json-body.ts'],
  ['accept', 'libs/persistence/src/executions/accept-sql.ts'],
  ['dispatch', 'libs/queue/src/job-producer.ts'],
  ['claim', 'libs/executions/src/slots/job-intake.ts'],
  ['open', 'libs/executions/src/attempt/attempt.ts'],
  ['plan', 'libs/executions/src/plan/plan-scope.ts'],
  ['loop', 'libs/agent-core/src/run-agent-loop.ts'],
  ['settle', 'libs/persistence/src/executions/settle-batch.ts'],
  ['webhook', 'apps/worker/src/webhooks/webhook-sender.ts'],
  ['shared', 'libs/kernel/src/clock.ts'],
])('counts a file of the stage %s', (stage, path) => {
  expect(countByStage([path]).filter(({ count }) => count > 0)).toEqual([{ stage, count: 1 }]);
});
