import type { DataSource } from 'typeorm';
import { AppError, assertNever } from '#libs/kernel';
import {
  ApiKeyChangesStore,
  ApiKeyStore,
  assertMigrated,
  createDataSource,
  ensureTenant,
  formatApiKey,
  hashApiKeySecret,
  makeApiKey,
  type ApiKeyView,
} from '#libs/persistence';
import { wholeDatabase } from './database.js';

const PAGE = 1_000;

export interface NewKey {
  readonly tenantId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Expiry; a key without one is valid until it is revoked. */
  readonly expiresAt?: Date | null;
}

/**
 * Creates a key, and its tenant if missing, and returns the key as text: only now is its secret readable. Throws
 * `INVALID_TENANT`, `INVALID_CONFIGURATION`.
 */
export async function createApiKey(
  url: string,
  { tenantId, name, scopes, expiresAt = null }: NewKey,
): Promise<string> {
  return withDatabase(url, async (dataSource) => {
    await ensureTenant(dataSource, tenantId);
    const key = makeApiKey();
    const creation = await new ApiKeyChangesStore(dataSource).create({
      ...{ id: key.id, tenantId, name, scopes, expiresAt },
      secretSha256: hashApiKeySecret(key.secret),
    });
    if (creation.kind !== 'created') throw invalidOption('--expires-at must be in the future');
    return formatApiKey(key);
  });
}

/** Lists keys newest first, expired and revoked ones included; without `tenantId`, those of all tenants. */
export async function listApiKeys(url: string, tenantId?: string): Promise<ApiKeyView[]> {
  return withDatabase(url, async (dataSource) => {
    const keys: ApiKeyView[] = [];
    for (;;) {
      const beforeId = keys.at(-1)?.id;
      const page = await new ApiKeyStore(dataSource).list({ tenantId, beforeId, limit: PAGE });
      keys.push(...page.rows);
      if (!page.hasMore) return keys;
    }
  });
}

/** Throws `NOT_FOUND`, and `LAST_ADMIN_KEY` unless `isForced`. */
export async function revokeApiKey(url: string, id: string, isForced: boolean): Promise<void> {
  const { kind } = await withDatabase(url, (dataSource) =>
    new ApiKeyChangesStore(dataSource).revoke(id, { isForced }),
  );
  switch (kind) {
    case 'revoked':
      return;
    case 'not_found':
      throw keyNotFound(id);
    case 'last_admin':
      throw new AppError({
        code: 'LAST_ADMIN_KEY',
        kind: 'conflict',
        message: `${id} is the last key with the scope admin that goes on; make another one, or give --force`,
      });
    default:
      assertNever(kind);
  }
}

/**
 * Returns the new key as text; the previous key stays valid for `overlapSeconds`. Throws `NOT_FOUND`, `API_KEY_NOT_CURRENT`.
 */
export async function rotateApiKey(url: string, id: string, overlapSeconds: number): Promise<string> {
  const key = makeApiKey();
  const rotation = await withDatabase(url, (dataSource) =>
    new ApiKeyChangesStore(dataSource).rotate(id, {
      id: key.id,
      secretSha256: hashApiKeySecret(key.secret),
      createdBy: null,
      overlapSeconds,
    }),
  );
  switch (rotation.kind) {
    case 'rotated':
      return formatApiKey(key);
    case 'not_found':
      throw keyNotFound(id);
    case 'not_usable':
      throw notCurrent(`${id} is revoked or expired; make a new key`);
    case 'replaced':
      throw notCurrent(`${rotation.by} replaces ${id} already; rotate that one`);
    case 'outlives_maker':
      throw new Error('no key makes a key at the command line, so none bounds it');
    default:
      return assertNever(rotation);
  }
}

/** A key in one line: id, tenant, status, times, scopes and name, separated by tabs. */
export function describeApiKey(key: ApiKeyView): string {
  const times = [
    `made ${key.created_at}`,
    key.expires_at === null ? 'no end' : `ends ${key.expires_at}`,
    key.last_used_at === null ? 'never used' : `used ${key.last_used_at}`,
  ];
  return [key.id, key.tenant_id, key.status, ...times, key.scopes.join(','), JSON.stringify(key.name)].join(
    '\t',
  );
}

/** Extracts the id from an id, `csk_<id>` or a whole key. Throws `INVALID_CONFIGURATION`. */
export function parseKeyId(text: string): string {
  const id = /^(?:csk_)?([0-9a-f]{16})(?:_|$)/.exec(text.trim())?.[1];
  if (id === undefined) throw invalidOption('the id of an API key is 16 hexadecimal digits: csk_<id>_…');
  return id;
}

/** Throws `INVALID_CONFIGURATION`. */
export function parseExpiry(text: string): Date {
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.test(text) ? new Date(text) : null;
  if (time !== null && !Number.isNaN(time.getTime())) return time;
  throw invalidOption(
    '--expires-at must be a day (2026-11-22, 00:00 UTC) or a time with its zone (2026-11-22T09:00:00Z)',
  );
}

const MAX_HOURS = 720;

/** Throws `INVALID_CONFIGURATION`. */
export function parseOverlap(text: string): number {
  const hours = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (hours <= MAX_HOURS) return hours * 3_600;
  throw invalidOption(`--overlap-hours must be a whole number from 0 to ${MAX_HOURS}`);
}

async function withDatabase<Result>(
  url: string,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    await assertMigrated(dataSource);
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

function keyNotFound(id: string): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: `there is no API key ${id}` });
}

function notCurrent(message: string): AppError {
  return new AppError({ code: 'API_KEY_NOT_CURRENT', kind: 'conflict', message });
}

function invalidOption(message: string): AppError {
  return new AppError({ code: 'INVALID_CONFIGURATION', kind: 'invalid_input', message });
}
