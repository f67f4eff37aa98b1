import type { SecretName } from '#libs/kit';
import { z } from 'zod';
import type { TaskDependencies } from './domain-dependencies.js';
import { RequestFaultError } from './request-fault.js';

/** A tenant's service: its URL is a column of a domain, its bearer token a secret. */
export interface CalledService {
  readonly url: string;
  /** Null if the service needs no token. */
  readonly token: string | null;
}

interface Transacting<Manager> {
  transaction<Result>(
    isolation: 'REPEATABLE READ',
    run: (transaction: Manager) => Promise<Result>,
  ): Promise<Result>;
}

/**
 * Reads URL and token in one snapshot, so that no token is sent to another URL; null if `readUrl` finds no service.
 * Throws `SECRET_UNREADABLE`.
 */
export function findCalledService<Manager extends Transacting<Manager>>(
  { manager, secrets }: Pick<TaskDependencies<Manager>, 'manager' | 'secrets'>,
  token: SecretName,
  readUrl: (transaction: Manager) => Promise<string | null>,
): Promise<CalledService | null> {
  return manager.transaction('REPEATABLE READ', async (transaction) => {
    const url = await readUrl(transaction);
    return url === null ? null : { url, token: await secrets.read(transaction, token) };
  });
}

/** Request field of a domain's route for the URL of a called service. */
export function calledUrlField(description: string): z.ZodURL {
  return z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2_000)
    .describe(description);
}

/** Error for a URL that the tenant may not have called, at this field. */
export function refusedUrl(field: string): RequestFaultError {
  const detail = 'must be a public http or https address without user name and password';
  return new RequestFaultError([{ path: [field], detail }], {
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
  });
}
