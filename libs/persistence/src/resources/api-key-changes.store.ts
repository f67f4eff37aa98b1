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
  /** The key that makes it; null at the command line and where no key is asked for. */
  readonly createdBy?: string | null;
  /** It is good before this time; without one, until it is revoked. */
  readonly expiresAt?: Date | null;
}

export type ApiKeyCreation =
  | { readonly kind: 'created'; readonly key: ApiKeyView }
  | { readonly kind: 'unknown_tenant' }
  /** It would have expired already. */
  | { readonly kind: 'expired' }
  /** It would be good when the key that makes it is not any more. */
  | { readonly kind: 'outlives_maker' };

export type ApiKeyRevocation =
  /** It is, perhaps since long before. */
  | { readonly kind: 'revoked'; readonly key: ApiKeyView }
  | { readonly kind: 'not_found' }
  /** Nobody could manage keys over HTTP any more. */
  | { readonly kind: 'last_admin' };

export type ApiKeyRotation =
  /** The new key. */
  | { readonly kind: 'rotated'; readonly key: ApiKeyView }
  | { readonly kind: 'not_found' }
  /** It is revoked or expired. */
  | { readonly kind: 'not_usable' }
  | { readonly kind: 'replaced'; readonly by: string }
  /** The new one would be good when the key that rotates it is not any more. */
  | { readonly kind: 'outlives_maker' };

export interface ApiKeyReplacement {
  readonly id: string;
  readonly secretSha256: string;
  readonly createdBy: string | null;
  /** For how long the key before it is good beside it. */
  readonly overlapSeconds: number;
}

/**
 * Makes, replaces and ends keys. A row is never deleted: it says who could do what, and when. The statements that make a key
 * judge by the clock of the database what they write, and a rotation locks the key that it replaces.
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
   * At once and for good. The last key with the scope `admin` that goes on for a day or more, and that none is to replace,
   * is left alone unless `isForced`.
   */
  async revoke(id: string, { isForced }: { readonly isForced: boolean }): Promise<ApiKeyRevocation> {
    return this.dataSource.transaction(async (manager) => {
      const keys = manager.getRepository(ApiKeyEntity);
      // Two who revoke each other's keys at the same time go one after the other.
      await keys.createQueryBuilder().where(IS_ADMIN).orderBy('id').setLock('pessimistic_write').getMany();
      if (!isForced && (await isLastAdmin(keys, id))) return { kind: 'last_admin' };
      await keys.update({ id }, { revokedAt: () => 'coalesce(revoked_at, now())' });
      const key = await keys.findOneBy({ id });
      return key ? { kind: 'revoked', key: toApiKeyView(key) } : { kind: 'not_found' };
    });
  }

  /**
   * A key of the same tenant, name and scopes, which lives for as long as the one before was made for; that one ends after
   * `overlapSeconds`, or sooner where it would anyway.
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
 * Whether a key that ends at `end` ends no later than the key that makes it; always where none does.
 *
 * @param end the SQL of its end, null without one
 * @param maker the SQL of the id of the key that makes it, null at the command line
 */
function endsInTimeSql(end: string, maker: string): string {
  return `coalesce((SELECT coalesce(${end}, 'infinity') <= coalesce(maker.expires_at, 'infinity')
                      FROM api_key maker WHERE maker.id = ${maker}), true)`;
}
