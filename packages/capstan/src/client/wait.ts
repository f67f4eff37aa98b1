import { Reconnection } from './events/reconnection.js';
import type { CallOptions } from './call-options.js';
import { pathOf } from './path-of.js';
import { pause } from './pause.js';
import { failureOf, type Transport } from './transport.js';
import type { Execution } from './types.js';

/** Seconds that the service holds one answer: proxies often cut at 30. */
const HELD_SECONDS = 20;
/** Pause between answers of a service that does not hold them, in ms. */
const ASK_EVERY_MS = 1_000;

/**
 * Reads an execution until it has ended or needs a person, by answers that the service holds until then. Failures are met as
 * those of a stream: until the first answer `maxRetries` in a row, then any number.
 */
export async function waitForEnd(
  transport: Transport,
  id: string,
  { timeout = transport.settings.timeout, maxRetries, ...call }: CallOptions = {},
): Promise<Execution> {
  const retries = maxRetries ?? transport.settings.maxRetries;
  const reconnection = new Reconnection(retries, maxRetries ?? Number.POSITIVE_INFINITY);
  const request = {
    method: 'GET',
    path: pathOf('/api/executions/{id}/', [id]),
    headers: { prefer: `wait=${HELD_SECONDS}` },
    options: { ...call, idempotencyKey: undefined, timeout: timeout + HELD_SECONDS * 1_000 },
  };
  for (;;) {
    const answer = await transport.attempt<Execution>(request);
    if (answer instanceof Error) {
      const wait = reconnection.pauseAfter(failureOf(answer), Math.random());
      if (wait === null) throw answer;
      await pause(wait, call.signal);
      continue;
    }
    reconnection.connect();
    reconnection.succeed();
    const { data: execution, response } = answer;
    if (execution.status === 'requires_action' || execution.finished_at !== null) return execution;
    if (!response.headers.has('preference-applied')) await pause(ASK_EVERY_MS, call.signal);
  }
}
