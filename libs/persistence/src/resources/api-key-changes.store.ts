import { Not, type DataSource, type Repository } from 'typeorm';
import { API_KEY_STATUS, ApiKeyEntity } from '../entities/api-key.entity.js';
import { queryRows } from '../sql.js';
import { toApiKeyView, type ApiKeyView } from './api-key-view.js';

export interface NewApiKey {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly secretSha256: string;
  readonly scopes: readonly string[];
  /** Key that creates the new one; null at the command line, and where the API requires no keys. */
  readonly createdBy?: string | null;
  /** Time until which it is valid; null for no limit. */
  readonly expiresAt?: Date | null;
}

export type ApiKeyCreation =
  | { readonly kind: 'created'; readonly key: ApiKeyView }
  | { readonly kind: 'unknown_tenant' }
  /** The new key would be expired already. */
  | { readonly kind: 'expired' }
  /** The new key would outlive the key that creates it. */
  | { readonly kind: 'outlives_maker' };

export type ApiKeyRevocation =
  /** The key is revoked, by this call or an earlier one. */
  | { readonly kind: 'revoked'; readonly key: ApiKeyView }
  | { readonly kind: 'not_found' }
  /** It is the last key that can manage keys over HTTP. */
  | { readonly kind: 'last_admin' };

export type ApiKeyRotation =
  /** The new key. */
  | { readonly kind: 'rotated'; readonly key: ApiKeyView }
  | { readonly kind: 'not_found' }
  /** The key is revoked or expired. */
  | { readonly kind: 'not_usable' }
  | { readonly kind: 'replaced'; readonly by: string }
  /** The new key would outlive the key that rotates it. */
  | { readonly kind: 'outlives_maker' };

export interface ApiKeyReplacement {
  readonly id: string;
  readonly secretSha256: string;
  readonly createdBy: string | null;
  /** Seconds for which the old key stays valid. */
  readonly overlapSeconds: number;
}

/**
 * Creates, rotates and revokes keys. Rows are never deleted: they record which key had which scopes, and when. A key is
 * created in SQL, since one statement checks it by the clock of the database, and a rotation locks the key that it replaces.
 */
export class ApiKeyChangesStore {
  private readonly keys: Repository<ApiKeyEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.keys = dataSource.getRepository(ApiKeyEntity);
  }

  async create(key: NewApiKey): Promise<ApiKeyCreation> {
    const [asked] = await queryRows<{ has_tenant: boolean; is_to_come: boolean; ends_in_time: boolean }>(
      this.dataSource,
      `WITH asked AS (
         SELECT EXISTS (SELECT 1 FROM tenant WHERE id = $2) AS has_tenant,
                coalesce($7::timestamptz > now(), true) AS is_to_come,
                ${endsInTimeSql('$7::timestamptz', '$6::text')} AS ends_in_time
       ), made AS (
         INSERT INTO api_key (id, tenant_id, name, secret_sha256, scopes, created_by, expires_at)
         SELECT $1, $2, $3, $4, $5::text[], $6, $7 FROM asked WHERE has_tenant AND is_to_come AND ends_in_time
       )
       SELECT * FROM asked`,
      [
        ...[key.id, key.tenantId, key.name, key.secretSha256, key.scopes],
        ...[key.createdBy ?? null, key.expiresAt ?? null],
      ],
    );
    if (asked?.has_tenant !== true) return { kind: 'unknown_tenant' };
    if (!asked.is_to_come) return { kind: 'expired' };
    if (!asked.ends_in_time) return { kind: 'outlives_maker' };
    return { kind: 'created', key: await this.read(key.id) };
  }

  /**
   * Revokes a key at once. Unless `isForced`, the last key with the scope `admin` that is valid for another day and is not
   * rotated is kept.
   */
  async revoke(id: string, { isForced }: { readonly isForced: boolean }): Promise<ApiKeyRevocation> {
    return this.dataSource.transaction(async (manager) => {
      const keys = manager.getRepository(ApiKeyEntity);
      // Two keys that revoke each other at the same time do so one after the other.
      await keys.createQueryBuilder().where(IS_ADMIN).orderBy('id').setLock('pessimistic_write').getMany();
      if (!isForced && (await isLastAdmin(keys, id))) return { kind: 'last_admin' };
      await keys.update({ id }, { revokedAt: () => 'coalesce(revoked_at, now())' });
      const key = await keys.findOneBy({ id });
      return key ? { kind: 'revoked', key: toApiKeyView(key) } : { kind: 'not_found' };
    });
  }

  /**
   * Creates a key with the same tenant, name, scopes and lifetime. The old key expires after `overlapSeconds`, or at its own
   * expiry if that is sooner.
   */
  async rotate(id: string, next: ApiKeyReplacement): Promise<ApiKeyRotation> {
    const [found] = await queryRows<{
      was_usable: boolean;
      was_replaced_by: string | null;
      ends_in_time: boolean;
    }>(
      this.dataSource,
      `WITH found AS (
         SELECT *, ${IS_USABLE} AS was_usable,
                ${endsInTimeSql('now() + (api_key.expires_at - api_key.created_at)', '$4::text')} AS ends_in_time
           FROM api_key WHERE id = $1 FOR UPDATE
       ), ended AS (
         UPDATE api_key SET replaced_by = $2, expires_at = least(found.expires_at, now() + $5 * interval '1 second')
           FROM found WHERE api_key.id = found.id AND found.was_usable AND found.ends_in_time AND found.replaced_by IS NULL
         RETURNING found.tenant_id, found.name, found.scopes, found.expires_at - found.created_at AS lifetime
       ), made AS (
         INSERT INTO api_key (id, tenant_id, name, secret_sha256, scopes, created_by, expires_at)
         SELECT $2, tenant_id, name, $3, scopes, $4, now() + lifetime FROM ended
       )
       SELECT was_usable, ends_in_time, replaced_by AS was_replaced_by FROM found`,
      [id, next.id, next.secretSha256, next.createdBy, next.overlapSeconds],
    );
    if (found === undefined) return { kind: 'not_found' };
    if (!found.was_usable) return { kind: 'not_usable' };
    if (found.was_replaced_by !== null) return { kind: 'replaced', by: found.was_replaced_by };
    if (!found.ends_in_time) return { kind: 'outlives_maker' };
    return { kind: 'rotated', key: await this.read(next.id) };
  }

  private async read(id: string): Promise<ApiKeyView> {
    return toApiKeyView(await this.keys.findOneByOrFail({ id }));
  }
}

const IS_USABLE = `${API_KEY_STATUS} = 'active'`;
const IS_ADMIN = `('admin' = ANY(scopes) AND ${IS_USABLE})`;
const GOES_ON = `replaced_by IS NULL AND (expires_at IS NULL OR expires_at > now() + interval '1 day')`;

async function isLastAdmin(keys: Repository<ApiKeyEntity>, id: string): Promise<boolean> {
  if (!(await keys.createQueryBuilder().where({ id }).andWhere(IS_ADMIN).getExists())) return false;
  const others = keys
    .createQueryBuilder()
    .where({ id: Not(id) })
    .andWhere(IS_ADMIN);
  return !(await others.andWhere(GOES_ON).getExists());
}

/**
 * True where a key that expires at `end` does not outlive the key that creates it; always true where no key creates it.
 *
 * @param end SQL of its expiry, null without one
 * @param maker SQL of the id of the key that creates it, null at the command line
 */
function endsInTimeSql(end: string, maker: string): string {
  return `coalesce((SELECT coalesce(${end}, 'infinity') <= coalesce(maker.expires_at, 'infinity')
                      FROM api_key maker WHERE maker.id = ${maker}), true)`;
}
