import type { SecretName } from '#libs/tooling';

/** Where the bearer token of a tenant's ordering service is kept. */
export function orderingTokenOf(tenantId: string): SecretName {
  return { tenantId, name: 'order-entry/ordering-service-token' };
}
