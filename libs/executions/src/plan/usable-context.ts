import { AppError } from '#libs/kernel';
import type { StoredContext, StoredTenant } from '../ports/stored-context.js';
import { asPrepared } from './preparation.js';

/** Context of an agent that may run at present. */
export type UsableContext = StoredContext & { readonly tenant: StoredTenant };

/** Throws an `AppError`; its code and message become the execution's error. */
export function assertUsable(stored: StoredContext | null): UsableContext {
  if (!stored)
    throw new AppError({
      code: 'NOT_FOUND',
      kind: 'not_found',
      message: 'the agent no longer exists',
    });
  const { tenant } = stored;
  if (tenant === null)
    throw new AppError({
      code: 'NOT_FOUND',
      kind: 'not_found',
      message: 'the tenant no longer exists',
    });
  if (stored.preparation !== null) return { ...asPrepared(stored, stored.preparation), tenant };
  if (!tenant.isActive) throw inactive('tenant');
  if (!stored.agentIsActive) throw inactive('agent');
  if (!stored.llm.isActive) throw inactive('model configuration');
  return { ...stored, tenant };
}

function inactive(what: string): AppError {
  return new AppError({ code: 'INACTIVE_RESOURCE', kind: 'conflict', message: `the ${what} is inactive` });
}
