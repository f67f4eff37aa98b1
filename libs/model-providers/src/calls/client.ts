import type OpenAI from 'openai';
import { sharedDispatcher, type ClientConnection } from './connection.js';
import { OPENAI_BASE_URL } from './request-address.js';
import { sendThrough } from './send-request.js';

/** The client refuses to be made without a key; this one is never sent. */
const NO_KEY = 'no-key';

/** The client's timer is only a second net under `CallWatch`, which knows which limit was broken. */
const OWN_LIMIT_FIRST_MS = 5_000;

/**
 * The official client, stripped of everything it would do by itself: retries, logging, settings from the environment,
 * redirects that would carry a prompt to another host. It is loaded for the first one that is made: few processes ever
 * check credentials, and it holds 4 MB.
 */
export async function createOpenAiClient(connection: ClientConnection): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    apiKey: connection.apiKey ?? NO_KEY,
    defaultHeaders: { ...(connection.apiKey === null && { Authorization: null }), ...connection.headers },
    ...(connection.query && { defaultQuery: { ...connection.query } }),
    baseURL: connection.baseUrl || OPENAI_BASE_URL,
    organization: connection.organization || null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    timeout: connection.timeoutMs + OWN_LIMIT_FIRST_MS,
    maxRetries: 0,
    logLevel: 'off',
    fetch: sendThrough(connection.dispatcher ?? sharedDispatcher),
  });
}
