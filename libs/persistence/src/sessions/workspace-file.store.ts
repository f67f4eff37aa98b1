import {
  findWriteFault,
  foldersOf,
  WORKSPACE_LIMITS,
  type ExpectedFile,
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

/** A written file; or why nothing was written. */
export type WorkspaceFileWriting =
  | { readonly kind: WrittenAs; readonly file: WorkspaceFileView }
  | { readonly kind: Exclude<WorkspaceWriting, WrittenAs> };
type WrittenAs = 'created' | 'replaced';

/** Bytes below a tenant's limit from which its writes run one after the other: 64 files of the maximum size at once. */
const MARGIN_BYTES = 64 * WORKSPACE_LIMITS.fileBytes;

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

  async write(owner: WorkspaceOwner, write: WorkspaceWrite): Promise<WorkspaceWriting> {
    return (await this.put(owner, write)).kind;
  }

  /** Writes of a session run one after the other; those of a tenant only near its limit, so that they stay within it. */
  put(
    owner: WorkspaceOwner,
    { path, bytes, callKey, expected = null }: WorkspaceWrite,
  ): Promise<WorkspaceFileWriting> {
    const { tenantId, sessionId } = owner;
    return this.dataSource.transaction(async (manager) => {
      const sql = 'SELECT id FROM chat_session WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE';
      const sessions = await queryRows(manager, sql, [tenantId, sessionId]);
      if (sessions.length === 0) return { kind: 'no_session' };
      const most = this.mostTenantBytes;
      const known = await bytesOfTenant(manager, tenantId);
      const isNear = known + bytes.byteLength > most - MARGIN_BYTES;
      await queryRows(manager, isNear ? LOCK_TENANT_SQL : LOCK_SESSION_SQL, [tenantId, sessionId]);
      if (callKey !== null && (await hasWritten(manager, sessionId, callKey))) return { kind: 'repeated' };
      if (!(await isAsExpected(manager, { sessionId, path, expected }))) return { kind: 'changed' };
      const tenantBytes = isNear ? await bytesOfTenant(manager, tenantId) : known;
      const use = await useBeside(manager, sessionId, path);
      const beside = { ...use, tenantBytes: tenantBytes - use.ownBytes };
      const fault = findWriteFault(beside, bytes.byteLength, most);
      if (fault !== null) return { kind: fault };
      if (callKey !== null) await queryRows(manager, NOTE_SQL, [sessionId, callKey, tenantId]);
      return writeFile(manager, owner, { path, bytes });
    });
  }

  /** `expected`: as for a write. */
  async delete(
    owner: WorkspaceOwner,
    path: string,
    expected: ExpectedFile = null,
  ): Promise<'deleted' | 'not_found' | 'changed'> {
    if (expected === 'none') return (await this.find(owner, path)) === null ? 'not_found' : 'changed';
    const { tenantId, sessionId } = owner;
    const hashes = expected === 'any' ? null : expected;
    const rows = await queryRows(this.dataSource, DELETE_SQL, [...[tenantId, sessionId, path], hashes]);
    if (rows.length > 0) return 'deleted';
    return hashes !== null && (await this.find(owner, path)) !== null ? 'changed' : 'not_found';
  }
}

async function writeFile(
  manager: EntityManager,
  { tenantId, sessionId }: WorkspaceOwner,
  { path, bytes }: Pick<WorkspaceWrite, 'path' | 'bytes'>,
): Promise<WorkspaceFileWriting> {
  const [written] = await queryRows<FileRow & { readonly is_new: boolean }>(manager, WRITE_SQL, [
    ...[sessionId, path, tenantId, Buffer.from(bytes)],
  ]);
  if (written === undefined) throw new Error('a file was written and not returned');
  const { is_new: isNew, ...row } = written;
  return { kind: isNew ? 'created' : 'replaced', file: toView(row) };
}

/** Whether the file exists, with one of the expected hashes where there are some; or does not, where none is expected. */
async function isAsExpected(
  manager: EntityManager,
  file: {
    readonly sessionId: string;
    readonly path: string;
    readonly expected: ExpectedFile;
  },
): Promise<boolean> {
  const { sessionId, path, expected } = file;
  if (expected === null) return true;
  const sql = `SELECT 1 FROM workspace_file
    WHERE session_id = $1 AND path = $2 AND ($3::text[] IS NULL OR ${HASH} = ANY($3))`;
  const hashes = expected === 'any' || expected === 'none' ? null : expected;
  const isThere = (await queryRows(manager, sql, [sessionId, path, hashes])).length > 0;
  return isThere === (expected !== 'none');
}

async function bytesOfTenant(manager: EntityManager, tenantId: string): Promise<number> {
  const sql = 'SELECT coalesce(sum(size_bytes), 0)::float8 AS bytes FROM workspace_file WHERE tenant_id = $1';
  const [sum] = await queryRows<{ readonly bytes: number }>(manager, sql, [tenantId]);
  if (sum === undefined) throw new Error('a sum of files came back empty');
  return sum.bytes;
}

async function hasWritten(manager: EntityManager, sessionId: string, callKey: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM workspace_write WHERE session_id = $1 AND call_key = $2';
  return (await queryRows(manager, sql, [sessionId, callKey])).length > 0;
}

async function useBeside(
  manager: EntityManager,
  sessionId: string,
  path: string,
): Promise<Omit<WorkspaceUse, 'tenantBytes'>> {
  const [use] = await queryRows<Omit<WorkspaceUse, 'tenantBytes'>>(
    manager,
    `SELECT count(*) FILTER (WHERE path <> $2)::int AS "otherFiles",
            coalesce(sum(size_bytes) FILTER (WHERE path <> $2), 0)::int AS "otherBytes",
            coalesce(sum(size_bytes) FILTER (WHERE path = $2), 0)::int AS "ownBytes",
            coalesce(bool_or(path = ANY($3::text[]) OR starts_with(path, $2 || '/')), false) AS "isTaken"
       FROM workspace_file WHERE session_id = $1`,
    [sessionId, path, foldersOf(path)],
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
const SESSION_LOCK = `pg_advisory_xact_lock(hashtext('workspace_session'), hashtext($2))::text`;
/** Writes far from the limit do not wait for each other; one near it waits for them. */
const LOCK_SESSION_SQL = `SELECT ${SESSION_LOCK}, pg_advisory_xact_lock_shared(hashtext('workspace'), hashtext($1))::text`;
const LOCK_TENANT_SQL = `SELECT ${SESSION_LOCK}, pg_advisory_xact_lock(hashtext('workspace'), hashtext($1))::text`;
const NOTE_SQL = 'INSERT INTO workspace_write (session_id, call_key, tenant_id) VALUES ($1, $2, $3)';
/** `xmax` is 0 for a row that this statement has inserted. */
const WRITE_SQL = `
  INSERT INTO workspace_file (session_id, path, tenant_id, size_bytes, content_hash, content)
  VALUES ($1, $2, $3, length($4::bytea), sha256($4::bytea), $4::bytea)
  ON CONFLICT (session_id, path) DO UPDATE
    SET size_bytes = EXCLUDED.size_bytes, content_hash = EXCLUDED.content_hash, content = EXCLUDED.content,
        updated_at = now()
  RETURNING xmax = 0 AS is_new, ${COLUMNS}`;
