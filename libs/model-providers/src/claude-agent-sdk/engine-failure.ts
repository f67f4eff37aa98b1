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
const UNREACHED: Kind = ['connection_failed', true];
/** Words of a failure before the provider has answered. */
const NO_ANSWER =
  /connection error|unable to connect|connection (?:refused|reset|closed)|ECONN|ENOTFOUND|EAI_AGAIN/i;

/** A failure that the engine reports; `text` is shown to the tenant's clients, without secrets (S4-37). */
export function reportedEngineFailure(
  word: string,
  text: string,
  secrets: readonly string[],
): ModelCallError {
  const [reason, retryable] = kindOf(word, text);
  const words = providerWords(text, secrets) ?? word;
  return new ModelCallError({
    reason,
    retryable,
    message: `Claude Agent SDK failed: ${words}`.slice(0, 500),
  });
}

function kindOf(word: string, text: string): Kind {
  const kind = (Object.hasOwn(KINDS, word) ? KINDS[word] : undefined) ?? OTHER;
  return kind[0] === 'provider_unavailable' && NO_ANSWER.test(text) ? UNREACHED : kind;
}

const BROKEN = {
  not_installed: [
    'engine_not_installed',
    false,
    `release ${SDK_VERSION} is not installed on the worker: ${INSTALL_COMMAND} installs it`,
  ],
  elsewhere: [
    'engine_elsewhere',
    false,
    'this worker starts no engines, since its WORKER_ENGINE_RUNS is none, and the execution needed one only after it had begun here; submit it again',
  ],
  out_of_memory: ['engine_out_of_memory', true, 'the engine took more than 1 GiB of memory'],
  out_of_disk: ['engine_out_of_disk', true, 'the engine wrote more than 256 MiB or 10000 files'],
  unmeasured: [
    'engine_unmeasured',
    false,
    'the memory of the engine cannot be measured: the system of the worker has neither /proc nor ps',
  ],
  files_unmeasured: [
    'engine_unmeasured',
    true,
    'the files below the home of the engine cannot be read, so that their limit cannot be kept',
  ],
  broken: ['engine_broken', true, 'the engine ended with an error'],
  gone: ['engine_gone', true, 'the engine ended before it had answered'],
  ended: ['engine_gone', true, 'the engine ended before it had answered'],
  diverged: ['engine_diverged', true, 'the engine went on without the outputs of the tools'],
  other_session: ['engine_other_session', true, 'the engine did not take the conversation up'],
  too_slow: ['request_timeout', true, 'the engine did not answer in time'],
} as const;

/**
 * A failure of the engine itself.
 *
 * @param silenceMs milliseconds since the last part of the answer, or since it was asked for
 */
export function engineFailure(kind: keyof typeof BROKEN, silenceMs?: number): ModelCallError {
  const [reason, retryable, text] = BROKEN[kind];
  const details = silenceMs === undefined ? {} : { silenceMs };
  return new ModelCallError({ reason, retryable, message: `Claude Agent SDK failed: ${text}`, details });
}

/** Whether the engine went on by itself; then its conversation begins anew from the messages. */
export function hasDiverged(error: unknown): boolean {
  return error instanceof ModelCallError && error.reason === BROKEN.diverged[0];
}
