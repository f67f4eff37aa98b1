export const API_KEY_STATUSES = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** A key as it is shown: everything but the secret, which is not stored. */
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

type Times = 'created_at' | 'expires_at' | 'last_used_at' | 'revoked_at';

/** A key as its row has it. */
export type ApiKeyRow = Omit<ApiKeyView, Times> & {
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
};

export const IS_USABLE = `(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))`;

/**
 * Whether a key that ends at `end` ends no later than the key that makes it; always where none does.
 *
 * @param end the SQL of its end, null without one
 * @param maker the SQL of the id of the key that makes it, null at the command line
 */
export function endsInTimeSql(end: string, maker: string): string {
  return `coalesce((SELECT coalesce(${end}, 'infinity') <= coalesce(maker.expires_at, 'infinity')
                      FROM api_key maker WHERE maker.id = ${maker}), true)`;
}

export const KEY_STATUS = `CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'active' END`;

/** Not the hash of its secret. */
export const API_KEY_COLUMNS = `id, tenant_id, name, scopes, ${KEY_STATUS} AS status, created_at, created_by, expires_at,
  last_used_at, revoked_at, replaced_by`;

export function toApiKeyView(row: ApiKeyRow): ApiKeyView {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
