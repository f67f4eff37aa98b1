import type { ModelCallError } from '#libs/agent-core';
import { isJsonObject, systemClock } from '#libs/kernel';
import type OpenAI from 'openai';
import { CallStopped, CallWatch } from './call-watch.js';
import { failedResponse } from './failed-response.js';
import { invalidResponse, stoppedCall } from './failure.js';
import { readJson } from './http-answer.js';
import { createOpenAiClient } from './client.js';
import { secretsOf, type ClientConnection } from './connection.js';
import { translateError } from './translate-error.js';
import type { WireProtocol } from './wire-protocol.js';

export type CredentialCheck =
  | { readonly ok: true }
  /** `reason` and `message` of a `ModelCallError`; safe to show. */
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** The list of a provider's models. */
export interface ModelListing {
  readonly path: string;
  /** Field of the answer that is the list. */
  readonly field: string;
}

const USUAL_LISTING: ModelListing = { path: '/models', field: 'data' };

/** Checks if the provider accepts the key, by listing the models (S1-37). */
export function checkProviderCredentials(
  connection: ClientConnection,
  signal: AbortSignal,
  { path, field }: ModelListing = USUAL_LISTING,
): Promise<CredentialCheck> {
  return check('list of models', connection, signal, async (client, options) => {
    const models = await readJson(await client.get(path, options).asResponse());
    if (!isJsonObject(models) || !Array.isArray(models[field])) throw invalidResponse({});
  });
}

/** Checks if the model answers with this key, by one short request (S1-38); a truncated answer counts. */
export function checkModelCredentials(
  protocol: WireProtocol,
  connection: ClientConnection,
  model: string,
  signal: AbortSignal,
): Promise<CredentialCheck> {
  const ping = protocol.ping(model);
  const { path, body } = protocol.locate?.(ping) ?? { path: protocol.path, body: ping };
  return check(protocol.streamName, connection, signal, async (client, options) => {
    const response = await readJson(await client.post(path, { body, ...options }).asResponse());
    if (!protocol.isAnswer(response)) throw invalidResponse({});
    const ending = protocol.endingOf(response);
    if (ending.kind === 'failed')
      throw failedResponse(ending, null, { protocol, secrets: secretsOf(connection) });
  });
}

async function check(
  streamName: string,
  connection: ClientConnection,
  signal: AbortSignal,
  ask: (client: OpenAI, options: { readonly signal: AbortSignal }) => Promise<void>,
): Promise<CredentialCheck> {
  const client = await createOpenAiClient(connection);
  const watch = new CallWatch(signal);
  watch.expectWithin(connection.timeoutMs, 'request_timeout');
  try {
    await watch.race(ask(client, { signal: watch.signal }));
    return { ok: true };
  } catch (error) {
    const { reason, message } = explain(error, streamName, secretsOf(connection));
    return { ok: false, reason, message };
  } finally {
    watch.close();
  }
}

function explain(error: unknown, streamName: string, secrets: readonly string[]): ModelCallError {
  if (error instanceof CallStopped) return stoppedCall(streamName, error.reason, error.afterMs);
  return translateError(error, { phase: 'request', streamName, now: systemClock.now(), secrets });
}
