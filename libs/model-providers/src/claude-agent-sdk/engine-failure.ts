import { ModelCallError } from '#libs/agent-core';
import { providerWords } from '../calls/provider-words.js';
import { INSTALL_COMMAND, SDK_VERSION } from './sdk-release.js';

type Kind = readonly [reason: string, retryable: boolean];

const KEY: Kind = ['invalid_credentials', false];
/** Words of the engine for failures of a request. */
const KINDS: Readonly<Record<string, Kind>> = {
  authentication_failed: KEY,
  oauth_org_not_allowed: KEY,
  account_on_hold: KEY,
  verification_required: KEY,
  cloud_credential_error: KEY,
  billing_error: ['insufficient_quota', false],
  rate_limit: ['rate_limited', true],
  overloaded: ['provider_unavailable', true],
  server_error: ['provider_unavailable', true],
  invalid_request: ['invalid_request', false],
  model_not_found: ['model_not_found', false],
};
const OTHER: Kind = ['provider_unavailable', true];

/** A failure that the engine reports; `text` is shown to the tenant's clients, without secrets (S4-37). */
export function reportedEngineFailure(
  word: string,
  text: string,
  secrets: readonly string[],
): ModelCallError {
  const [reason, retryable] = (Object.hasOwn(KINDS, word) ? KINDS[word] : undefined) ?? OTHER;
  const words = providerWords(text, secrets) ?? word;
  return new ModelCallError({
    reason,
    retryable,
    message: `Claude Agent SDK failed: ${words}`.slice(0, 500),
  });
}

const BROKEN = {
  not_installed: [
    'engine_not_installed',
    false,
    `release ${SDK_VERSION} is not installed on the worker: ${INSTALL_COMMAND} installs it`,
  ],
  out_of_memory: ['engine_out_of_memory', true, 'the engine took more than 1 GiB of memory'],
  broken: ['engine_broken', true, 'the engine ended with an error'],
  gone: ['engine_gone', true, 'the engine ended before it had answered'],
  ended: ['engine_gone', true, 'the engine ended before it had answered'],
  diverged: ['engine_diverged', true, 'the engine went on without the outputs of the tools'],
  other_session: ['engine_other_session', true, 'the engine did not take the conversation up'],
  too_slow: ['request_timeout', true, 'the engine did not answer in time'],
} as const;

/** A failure of the engine itself. */
export function engineFailure(kind: keyof typeof BROKEN): ModelCallError {
  const [reason, retryable, text] = BROKEN[kind];
  return new ModelCallError({ reason, retryable, message: `Claude Agent SDK failed: ${text}` });
}

/** Whether the engine went on by itself; then its conversation begins anew from the messages. */
export function hasDiverged(error: unknown): boolean {
  return error instanceof ModelCallError && error.reason === BROKEN.diverged[0];
}
