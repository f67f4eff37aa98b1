import { z } from 'zod';
import type { TaskDependencies } from './domain-dependencies.js';
import type { SecretName } from './domain-secrets.js';
import { RequestFaultError } from './request-fault.js';

/** A server of a tenant as it is called: its URL is a column of a domain, its bearer token a secret. */
export interface CalledService {
  readonly url: string;
  /** Null for one that asks for none. */
  readonly token: string | null;
}

interface Transacting<Manager> {
  transaction<Result>(
    isolation: 'REPEATABLE READ',
    run: (transaction: Manager) => Promise<Result>,
  ): Promise<Result>;
}

/**
 * URL and token of one moment, so that no token goes to the address of another; null where `readUrl` finds no service.
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

/** A field of a route of a domain: the URL of a service that it calls. */
export function calledUrlField(description: string): z.ZodURL {
  return z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2_000)
    .describe(description);
}

/** For a URL that the tenant may not have called, in the field of that name. */
export function refusedUrl(field: string): RequestFaultError {
  const detail = 'must be a public http or https address without user name and password';
  return new RequestFaultError([{ path: [field], detail }], {
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
  });
}
