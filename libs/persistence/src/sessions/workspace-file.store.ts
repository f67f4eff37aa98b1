import {
  findWriteFault,
  foldersOf,
  WORKSPACE_LIMITS,
  type WorkspaceListing,
  type WorkspaceOwner,
  type WorkspaceShelf,
  type WorkspaceUse,
  type WorkspaceWrite,
  type WorkspaceWriting,
} from '#libs/tooling';
import type { DataSource, EntityManager } from 'typeorm';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';
import { queryRows } from '../sql.js';

/** A file of a workspace as the API shows it. */
export interface WorkspaceFileView {
  readonly path: string;
  readonly size_bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly updated_at: string;
}

/** Files in the workspaces of sessions. */
export class WorkspaceFileStore implements WorkspaceShelf {
  /** @param mostTenantBytes maximum bytes of all files of a tenant */
  constructor(
    private readonly dataSource: DataSource,
    private readonly mostTenantBytes = Infinity,
  ) {}

  async list({ tenantId, sessionId }: WorkspaceOwner): Promise<WorkspaceListing> {
    const files = await queryRows<{ path: string; bytes: number }>(
      this.dataSource,
      `SELECT path, size_bytes AS bytes FROM workspace_file WHERE tenant_id = $1 AND session_id = $2
        ORDER BY path COLLATE "C" LIMIT $3`,
      [tenantId, sessionId, WORKSPACE_LIMITS.files],
    );
    return { files, isCut: false };
  }

  /** Sorted by path. */
  async listPage(
    { tenantId, sessionId }: WorkspaceOwner,
    { afterPath = '', limit }: { readonly afterPath?: string | undefined; readonly limit: number },
  ): Promise<RowsOfPage<WorkspaceFileView>> {
    const select = `SELECT ${COLUMNS} FROM workspace_file
      WHERE tenant_id = $1 AND session_id = $2 AND path COLLATE "C" > $3`;
    const parameters = [tenantId, sessionId, afterPath];
    return mapRows(
      await readPage<FileRow>(this.dataSource, { select, parameters, orderBy: 'path COLLATE "C"', limit }),
      toView,
    );
  }

  /** Null if the session of this tenant has no such file. */
  async find({ tenantId, sessionId }: WorkspaceOwner, path: string): Promise<WorkspaceFileView | null> {
    const [row] = await queryRows<FileRow>(this.dataSource, `SELECT ${COLUMNS} ${OF_FILE}`, [
      ...[tenantId, sessionId, path],
    ]);
    return row === undefined ? null : toView(row);
  }

  async read({ tenantId, sessionId }: WorkspaceOwner, path: string): Promise<Buffer | null> {
    const [row] = await queryRows<{ content: Buffer }>(this.dataSource, `SELECT content ${OF_FILE}`, [
      ...[tenantId, sessionId, path],
    ]);
    return row?.content ?? null;
  }

  /** The writes of a tenant run one after the other, so that they stay within its limits together. */
  write(
    { tenantId, sessionId }: WorkspaceOwner,
    { path, bytes, callKey, expected = null }: WorkspaceWrite,
  ): Promise<WorkspaceWriting> {
    return this.dataSource.transaction(async (manager) => {
      const sql = 'SELECT id FROM chat_session WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE';
      const sessions = await queryRows(manager, sql, [tenantId, sessionId]);
      if (sessions.length === 0) return 'no_session';
      await queryRows(manager, `SELECT pg_advisory_xact_lock(hashtext('workspace'), hashtext($1))::text`, [
        tenantId,
      ]);
      if (callKey !== null && (await hasWritten(manager, sessionId, callKey))) return 'repeated';
      if (expected !== null && !(await hasOneOf(manager, { sessionId, path, expected }))) return 'changed';
      const use = await useBeside(manager, { tenantId, sessionId }, path);
      const fault = findWriteFault(use, bytes.byteLength, this.mostTenantBytes);
      if (fault !== null) return fault;
      if (callKey !== null) await queryRows(manager, NOTE_SQL, [sessionId, callKey, tenantId]);
      const content = Buffer.from(bytes);
      const [written] = await queryRows<{ is_new: boolean }>(manager, WRITE_SQL, [
        ...[sessionId, path, tenantId, content],
      ]);
      return written?.is_new === true ? 'created' : 'replaced';
    });
  }

  /** @param expected SHA-256 in hexadecimal, one of which the file must have; null for any */
  async delete(
    owner: WorkspaceOwner,
    path: string,
    expected: readonly string[] | null = null,
  ): Promise<'deleted' | 'not_found' | 'changed'> {
    const { tenantId, sessionId } = owner;
    const rows = await queryRows(this.dataSource, DELETE_SQL, [...[tenantId, sessionId, path], expected]);
    if (rows.length > 0) return 'deleted';
    return expected !== null && (await this.find(owner, path)) !== null ? 'changed' : 'not_found';
  }
}

/** Whether the file exists with one of the expected hashes. */
async function hasOneOf(
  manager: EntityManager,
  file: { readonly sessionId: string; readonly path: string; readonly expected: readonly string[] },
): Promise<boolean> {
  const sql = `SELECT 1 FROM workspace_file WHERE session_id = $1 AND path = $2 AND ${HASH} = ANY($3::text[])`;
  return (await queryRows(manager, sql, [file.sessionId, file.path, file.expected])).length > 0;
}

async function hasWritten(manager: EntityManager, sessionId: string, callKey: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM workspace_write WHERE session_id = $1 AND call_key = $2';
  return (await queryRows(manager, sql, [sessionId, callKey])).length > 0;
}

async function useBeside(
  manager: EntityManager,
  { tenantId, sessionId }: WorkspaceOwner,
  path: string,
): Promise<WorkspaceUse> {
  const [use] = await queryRows<WorkspaceUse>(
    manager,
    `SELECT beside.*, tenant.bytes - beside."ownBytes" AS "tenantBytes"
       FROM (SELECT count(*) FILTER (WHERE path <> $2)::int AS "otherFiles",
                    coalesce(sum(size_bytes) FILTER (WHERE path <> $2), 0)::int AS "otherBytes",
                    coalesce(sum(size_bytes) FILTER (WHERE path = $2), 0)::int AS "ownBytes",
                    coalesce(bool_or(path = ANY($3::text[]) OR starts_with(path, $2 || '/')), false) AS "isTaken"
               FROM workspace_file WHERE session_id = $1) beside,
            (SELECT coalesce(sum(size_bytes), 0)::float8 AS bytes FROM workspace_file WHERE tenant_id = $4) tenant`,
    [sessionId, path, foldersOf(path), tenantId],
  );
  if (use === undefined) throw new Error('a count of files came back empty');
  return use;
}

interface FileRow extends Omit<WorkspaceFileView, 'updated_at'> {
  readonly updated_at: Date;
}

function toView({ updated_at, ...same }: FileRow): WorkspaceFileView {
  return { ...same, updated_at: updated_at.toISOString() };
}

const OF_FILE = 'FROM workspace_file WHERE tenant_id = $1 AND session_id = $2 AND path = $3';
const HASH = `encode(content_hash, 'hex')`;
const COLUMNS = `path, size_bytes, ${HASH} AS sha256, updated_at`;
const DELETE_SQL = `DELETE ${OF_FILE} AND ($4::text[] IS NULL OR ${HASH} = ANY($4)) RETURNING path`;
const NOTE_SQL = 'INSERT INTO workspace_write (session_id, call_key, tenant_id) VALUES ($1, $2, $3)';
/** `xmax` is 0 for a row that this statement has inserted. */
const WRITE_SQL = `
  INSERT INTO workspace_file (session_id, path, tenant_id, size_bytes, content_hash, content)
  VALUES ($1, $2, $3, length($4::bytea), sha256($4::bytea), $4::bytea)
  ON CONFLICT (session_id, path) DO UPDATE
    SET size_bytes = EXCLUDED.size_bytes, content_hash = EXCLUDED.content_hash, content = EXCLUDED.content,
        updated_at = now()
  RETURNING xmax = 0 AS is_new`;
