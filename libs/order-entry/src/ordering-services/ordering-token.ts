import type { SecretName } from '#libs/tooling';

/** Name of the secret with the bearer token of a tenant's ordering service. */
export function orderingTokenOf(tenantId: string): SecretName {
  return { tenantId, name: 'order-entry/ordering-service-token' };
}
