import type { Original, RequestKey } from '#libs/knowledge';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';
import { madeWithin, UUIDS, type Bind, type MadeWithin } from '../rows/list-conditions.js';
import { findRepeated, type RepeatedUpload } from '../knowledge/repeated-upload.js';
import type { ExpectedVersions, Versioned } from '../rows/versioned.js';

/** A file as the API shows it. */
export interface FileView {
  readonly id: string;
  readonly name: string;
  /** Media type, detected from the bytes. */
  readonly media_type: string;
  readonly size_bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface NewFile {
  /** UUID v7. */
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly original: Original;
  /** Null for the maximum time. */
  readonly expiresAt: Date | null;
  readonly idempotency?: RequestKey | null;
}

/** Limits of the files of one tenant. */
export interface FileBounds {
  readonly quota: { readonly files: number; readonly bytes: number };
  /** Maximum time that a file is kept. */
  readonly retentionMs: number;
}

export type FileCreation =
  | ({ readonly kind: 'created' } & Versioned<FileView>)
  | RepeatedUpload
  | { readonly kind: 'over_quota'; readonly bound: 'files' | 'bytes' }
  /** The file would be expired already, or expire after `latest`. */
  | { readonly kind: 'bad_expiry'; readonly latest: string };

export interface FileFilter extends MadeWithin {
  readonly mediaType?: string | undefined;
  readonly afterId?: string | undefined;
  readonly limit: number;
}

/** Version of every file: files never change. */
const ONLY_VERSION = 1;

/** Files of tenants, each until it expires. */
export class FileStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a file with the blob of its upload. */
  async create(
    { id, tenantId, name, mediaType, original, expiresAt, idempotency = null }: NewFile,
    { quota, retentionMs }: FileBounds,
  ): Promise<FileCreation> {
    return this.dataSource.transaction(async (manager) => {
      await queryRows(manager, `SELECT pg_advisory_xact_lock(hashtext('files'), hashtext($1))::text`, [
        tenantId,
      ]);
      const repeated =
        idempotency === null ? null : await findRepeated(manager, 'file', tenantId, idempotency);
      if (repeated !== null) return repeated;
      const bound = await findOverQuota(manager, tenantId, quota, original.sizeBytes);
      if (bound !== null) return { kind: 'over_quota', bound };
      const [expiry] = await queryRows<{ expires_at: Date; latest: Date; is_allowed: boolean }>(
        manager,
        `SELECT expires_at, latest, expires_at > now() AND expires_at <= latest AS is_allowed
           FROM (SELECT now() + $2 * interval '1 millisecond' AS latest) AS limits,
                LATERAL (SELECT coalesce($1::timestamptz, latest) AS expires_at) AS wanted`,
        [expiresAt, retentionMs],
      );
      if (expiry?.is_allowed !== true)
        return { kind: 'bad_expiry', latest: (expiry?.latest ?? new Date(0)).toISOString() };
      const [row] = await queryRows<FileRow>(
        manager,
        `WITH taken_over AS (DELETE FROM blob_disposal WHERE blob_key = $7)
         INSERT INTO file (id, tenant_id, name, media_type, size_bytes, content_hash, blob_key, expires_at,
                           idempotency_key, request_sha256)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
        [
          ...[id, tenantId, name, mediaType],
          ...[original.sizeBytes, original.contentHash, original.blobKey, expiry.expires_at],
          ...[idempotency?.key ?? null, idempotency?.requestSha256 ?? null],
        ],
      );
      if (row === undefined) throw new Error('a file was stored, and nothing came back');
      return { kind: 'created', ...versioned(row) };
    });
  }

  /** Sorted by id, ascending, which is oldest first. */
  async list(tenantId: string, filter: FileFilter): Promise<RowsOfPage<FileView>> {
    const { select, parameters } = listFilesQuery(tenantId, filter);
    const page = { select, parameters, orderBy: 'id', limit: filter.limit };
    return mapRows(await readPage<FileRow>(this.dataSource, page), toView);
  }

  async find(tenantId: string, id: string): Promise<Versioned<FileView> | null> {
    const [row] = await queryRows<FileRow>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM file WHERE tenant_id = $1 AND id = $2 AND ${IS_THERE}`,
      [tenantId, id],
    );
    return row === undefined ? null : versioned(row);
  }

  /** Null if the tenant has no such file. */
  async findBlobKey(tenantId: string, id: string): Promise<string | null> {
    const [row] = await queryRows<{ blob_key: string }>(
      this.dataSource,
      `SELECT blob_key FROM file WHERE tenant_id = $1 AND id = $2 AND ${IS_THERE}`,
      [tenantId, id],
    );
    return row?.blob_key ?? null;
  }

  /** Finds also a file that has expired since it was attached; null if its bytes were deleted. */
  async findKeptBlobKey(tenantId: string, id: string): Promise<string | null> {
    const [row] = await queryRows<{ blob_key: string }>(
      this.dataSource,
      `SELECT blob_key FROM file WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
    return row?.blob_key ?? null;
  }

  /** Finds the files of the tenant among these. */
  async findAll(tenantId: string, ids: readonly string[]): Promise<readonly FileView[]> {
    const rows = await queryRows<FileRow>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM file WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND ${IS_THERE}`,
      [tenantId, ids],
    );
    return rows.map(toView);
  }

  /** Deletes a file at once; {@link disposeExpired} deletes its bytes later. */
  async delete(
    tenantId: string,
    id: string,
    expected: ExpectedVersions,
  ): Promise<'deleted' | 'not_found' | 'other_version'> {
    const [row] = await queryRows<{ is_deleted: boolean }>(
      this.dataSource,
      `WITH found AS (
         SELECT id FROM file WHERE tenant_id = $1 AND id = $2 AND ${IS_THERE}
       ), deleted AS (
         UPDATE file SET expires_at = now() FROM found
          WHERE file.id = found.id AND ($3::int[] IS NULL OR ${ONLY_VERSION} = ANY($3::int[])) RETURNING file.id
       )
       SELECT EXISTS (SELECT 1 FROM deleted) AS is_deleted FROM found`,
      [tenantId, id, expected],
    );
    if (row?.is_deleted === true) return 'deleted';
    return row === undefined || expected === null ? 'not_found' : 'other_version';
  }

  /**
   * Deletes the rows of expired files that no unsettled execution was accepted with, and marks their blobs for removal.
   * Returns the number of files.
   */
  async disposeExpired(limit: number): Promise<number> {
    const rows = await queryRows(this.dataSource, DISPOSE_SQL, [limit]);
    return rows.length;
  }
}

/** Statement of a list, without order and limit. */
export function listFilesQuery(
  tenantId: string,
  { mediaType, afterId, ...range }: Omit<FileFilter, 'limit'>,
): { readonly select: string; readonly parameters: readonly unknown[] } {
  const parameters: unknown[] = [];
  const bind: Bind = (value, type) => `$${parameters.push(value)}::${type}`;
  const conditions = [
    `file.tenant_id = ${bind(tenantId, 'text')}`,
    IS_THERE,
    ...madeWithin(range, 'file', bind, UUIDS),
  ];
  if (mediaType !== undefined) conditions.push(`file.media_type = ${bind(mediaType, 'text')}`);
  if (afterId !== undefined) conditions.push(`file.id > ${bind(afterId, 'uuid')}`);
  return { select: `SELECT ${COLUMNS} FROM file WHERE ${conditions.join(' AND ')}`, parameters };
}

/** Checks the limits under the lock of the tenant. Null if there is room for one more file. */
async function findOverQuota(
  manager: EntityManager,
  tenantId: string,
  quota: FileBounds['quota'],
  moreBytes: number,
): Promise<'files' | 'bytes' | null> {
  const [use] = await queryRows<{ files: number; bytes: number }>(
    manager,
    `SELECT count(*)::int AS files, coalesce(sum(size_bytes), 0)::float8 AS bytes FROM file
      WHERE tenant_id = $1 AND (${IS_THERE} OR ${IS_PAST_GRACE})`,
    [tenantId],
  );
  if ((use?.files ?? 0) + 1 > quota.files) return 'files';
  return (use?.bytes ?? 0) + moreBytes > quota.bytes ? 'bytes' : null;
}

interface FileRow extends Omit<FileView, 'created_at' | 'expires_at'> {
  readonly created_at: Date;
  readonly expires_at: Date;
}

function toView({ created_at, expires_at, ...same }: FileRow): FileView {
  return { ...same, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() };
}

function versioned(row: FileRow): Versioned<FileView> {
  return { view: toView(row), version: ONLY_VERSION };
}

const IS_THERE = 'file.expires_at > now()';
/**
 * A file that expired at least two minutes ago. This is longer than an execution takes from the check of its attachments
 * until it is accepted, so that every execution that was accepted with a file is seen to hold it.
 */
const IS_PAST_GRACE = `file.expires_at <= now() - interval '2 minutes'`;
const COLUMNS = `file.id, file.name, file.media_type, file.size_bytes::float8 AS size_bytes,
  encode(file.content_hash, 'hex') AS sha256, file.created_at, file.expires_at`;
const DISPOSE_SQL = `WITH held AS MATERIALIZED (
    SELECT attachment ->> 'id' AS id
      FROM execution, jsonb_path_query(request, '$.additional_data.attachments[*]') AS attachment
     WHERE status IN ('queued', 'running', 'requires_action') AND EXISTS (SELECT 1 FROM file WHERE ${IS_PAST_GRACE})
  ), gone AS (
    DELETE FROM file WHERE id IN (
      SELECT id FROM file
       WHERE ${IS_PAST_GRACE} AND NOT EXISTS (SELECT 1 FROM held WHERE held.id = file.id::text)
       ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING tenant_id, blob_key
  ), disposed AS (
    INSERT INTO blob_disposal (tenant_id, blob_key) SELECT tenant_id, blob_key FROM gone
    ON CONFLICT (blob_key) DO UPDATE SET due_at = now()
  )
  SELECT blob_key FROM gone`;
