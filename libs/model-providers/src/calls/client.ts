import type OpenAI from 'openai';
import { baseUrlOf, sharedDispatcher, type ClientConnection } from './connection.js';
import { sendThrough } from './send-request.js';

/** Placeholder, since the client requires a key; it is never sent. */
const NO_KEY = 'no-key';

/**
 * Milliseconds by which the client's timeout exceeds that of `CallWatch`, which knows the exceeded limit and must fire
 * first.
 */
const OWN_LIMIT_FIRST_MS = 5_000;

/**
 * The official client without its own retries, logging, environment settings and redirects, which would carry a prompt
 * to another host. Loaded lazily: it takes 4 MB, and few processes check credentials.
 */
export async function createOpenAiClient(connection: ClientConnection): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    apiKey: connection.apiKey ?? NO_KEY,
    defaultHeaders: { ...(connection.apiKey === null && { Authorization: null }), ...connection.headers },
    ...(connection.query && { defaultQuery: { ...connection.query } }),
    baseURL: baseUrlOf(connection),
    organization: connection.organization || null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    timeout: connection.timeoutMs + OWN_LIMIT_FIRST_MS,
    maxRetries: 0,
    logLevel: 'off',
    fetch: sendThrough(connection.dispatcher ?? sharedDispatcher, connection.sign),
  });
}
