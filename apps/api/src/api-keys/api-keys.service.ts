import { Injectable } from '@nestjs/common';
import {
  ApiKeyStore,
  type ApiKeyView,
  ApiKeyChangesStore,
  formatApiKey,
  hashApiKeySecret,
  makeApiKey,
} from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import { byId, toPage, type Page } from '../http/page.js';
import type { Principal } from '../http/access.js';
import type { ApiKeyListQuery, ApiKeyRotationDto, NewApiKeyDto } from './api-keys.dto.js';
import {
  apiKeyNotFound,
  cannotGive,
  expiredAlready,
  lastAdminKey,
  noSuchTenant,
  notUsable,
  outlivesMaker,
  replacedBy,
} from './api-keys.errors.js';

/** A key with its secret, which is shown only once. */
export type ApiKeyWithSecret = ApiKeyView & { readonly key: string };

/** Lists, creates, rotates and revokes keys of any tenant, for administrators. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeyStore,
    private readonly changes: ApiKeyChangesStore,
  ) {}

  /** Sorted newest first; includes expired and revoked keys. */
  async list({
    limit,
    cursor: beforeId,
    tenant_id: tenantId,
    status,
  }: ApiKeyListQuery): Promise<Page<ApiKeyView>> {
    return toPage(await this.keys.list({ tenantId, status, beforeId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(id: string): Promise<ApiKeyView> {
    const key = await this.keys.read(id);
    if (key === null) throw apiKeyNotFound();
    return key;
  }

  /** Throws `INSUFFICIENT_SCOPE` for scopes that the caller lacks, `API_KEY_OUTLIVES_MAKER`, `VALIDATION_ERROR`. */
  async create(
    caller: Principal,
    { name, scopes, tenant_id: tenantId = caller.tenantId, expires_at }: NewApiKeyDto,
  ): Promise<ApiKeyWithSecret> {
    refuseMoreThan(caller, scopes);
    const made = makeApiKey();
    const creation = await this.changes.create({
      ...{ id: made.id, tenantId, name, scopes },
      secretSha256: hashApiKeySecret(made.secret),
      createdBy: caller.keyId,
      expiresAt: expires_at === null ? null : new Date(expires_at),
    });
    switch (creation.kind) {
      case 'created':
        return { ...creation.key, key: formatApiKey(made) };
      case 'unknown_tenant':
        throw noSuchTenant();
      case 'expired':
        throw expiredAlready();
      case 'outlives_maker':
        throw outlivesMaker();
      default:
        return assertNever(creation);
    }
  }

  /**
   * Throws `NOT_FOUND`, `API_KEY_NOT_CURRENT`, and since the caller receives the new key: `INSUFFICIENT_SCOPE` or
   * `API_KEY_OUTLIVES_MAKER` where it exceeds the caller's own key.
   */
  async rotate(
    caller: Principal,
    id: string,
    { overlap_seconds: overlapSeconds }: ApiKeyRotationDto,
  ): Promise<ApiKeyWithSecret> {
    const old = await this.keys.read(id);
    if (old === null) throw apiKeyNotFound();
    refuseMoreThan(caller, old.scopes);
    const made = makeApiKey();
    const rotation = await this.changes.rotate(id, {
      id: made.id,
      secretSha256: hashApiKeySecret(made.secret),
      createdBy: caller.keyId,
      overlapSeconds,
    });
    switch (rotation.kind) {
      case 'rotated':
        return { ...rotation.key, key: formatApiKey(made) };
      case 'not_found':
        throw apiKeyNotFound();
      case 'not_usable':
        throw notUsable();
      case 'replaced':
        throw replacedBy(rotation.by);
      case 'outlives_maker':
        throw outlivesMaker();
      default:
        return assertNever(rotation);
    }
  }

  /** Takes effect at once; repeating it changes nothing. Throws `NOT_FOUND`, `LAST_ADMIN_KEY`. */
  async revoke(id: string): Promise<ApiKeyView> {
    const revocation = await this.changes.revoke(id, { isForced: false });
    switch (revocation.kind) {
      case 'revoked':
        return revocation.key;
      case 'not_found':
        throw apiKeyNotFound();
      case 'last_admin':
        throw lastAdminKey();
      default:
        return assertNever(revocation);
    }
  }
}

function refuseMoreThan(caller: Principal, scopes: readonly string[]): void {
  const lacking = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (lacking.length > 0) throw cannotGive(lacking);
}
