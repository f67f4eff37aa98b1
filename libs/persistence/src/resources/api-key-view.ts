import type { ApiKeyEntity, ApiKeyStatus } from '../entities/api-key.entity.js';

/** A key as the API shows it, without the secret, which is not stored. */
export interface ApiKeyView {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly status: ApiKeyStatus;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly replaced_by: string | null;
}

export function toApiKeyView(key: ApiKeyEntity): ApiKeyView {
  const {
    id,
    tenantId: tenant_id,
    name,
    scopes,
    status,
    createdBy: created_by,
    replacedBy: replaced_by,
  } = key;
  return {
    ...{ id, tenant_id, name, scopes, status, created_by, replaced_by },
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
