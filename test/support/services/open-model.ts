import type { ModelPort } from '#libs/agent-core';
import { modelProviders, type CallSurroundings, type ProviderConnection } from '#libs/model-providers';

export type ModelOptions = Partial<ProviderConnection> & CallSurroundings & { readonly baseUrl: string };

/** A model at a server of the test; by default with a key and short limits. */
export function openModel(options: ModelOptions, provider = 'openai'): ModelPort {
  const { hosts, caller, audit, idleTimeoutMs, clock, ...connection } = options;
  const surroundings = {
    ...(hosts && { hosts }),
    ...(caller !== undefined && { caller }),
    ...(audit && { audit }),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    ...(clock && { clock }),
  };
  return modelProviders.get(provider).connect(connectionTo(connection), surroundings);
}

/** The same connection, for a check of its credentials. */
export function connectionTo(
  options: Partial<ProviderConnection> & { readonly baseUrl: string },
): ProviderConnection {
  return {
    apiKey: 'sk-test',
    organization: null,
    timeoutMs: 5_000,
    firstByteMs: 60_000,
    options: {},
    ...options,
  };
}
