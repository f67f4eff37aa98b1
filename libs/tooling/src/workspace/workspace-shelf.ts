/** Limits of the workspace of one session. */
export const WORKSPACE_LIMITS = {
  /** Maximum bytes of a file: 1 MiB. */
  fileBytes: 1_048_576,
  files: 200,
  /** Maximum bytes of all files: 16 MiB. */
  totalBytes: 16_777_216,
} as const;

/** Owner of a workspace: a session of a tenant. */
export interface WorkspaceOwner {
  readonly tenantId: string;
  readonly sessionId: string;
}

export interface WorkspaceEntry {
  /** Path relative to the workspace, with `/` between folders. */
  readonly path: string;
  readonly bytes: number;
}

export interface WorkspaceListing {
  /** By path, ascending. */
  readonly files: readonly WorkspaceEntry[];
  /** True if there are more files than listed. */
  readonly isCut: boolean;
}

/**
 * A file that a change expects: of one of these SHA-256 in hexadecimal; `any`: one that exists; `none`: that none does;
 * null: any, or none.
 */
export type ExpectedFile = readonly string[] | 'any' | 'none' | null;

/** A file to write whole; it replaces the file of this path. */
export interface WorkspaceWrite {
  /** A path without {@link findPathFault}. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Identifies a tool call; a second write of the same call changes nothing. Null for other writers. */
  readonly callKey: string | null;
  /** By default null. */
  readonly expected?: ExpectedFile;
}

type WriteFault = 'path_taken' | 'too_many_files' | 'too_many_bytes' | 'tenant_full';
export type WorkspaceWriting = 'created' | 'replaced' | 'repeated' | 'no_session' | 'changed' | WriteFault;

/** Files of workspaces as tools use them. */
export interface WorkspaceShelf {
  list(owner: WorkspaceOwner): Promise<WorkspaceListing>;
  /** Null if there is no such file. */
  read(owner: WorkspaceOwner, path: string): Promise<Uint8Array | null>;
  write(owner: WorkspaceOwner, write: WorkspaceWrite): Promise<WorkspaceWriting>;
}

/** The room of a workspace beside the file to write. */
export interface WorkspaceUse {
  readonly otherFiles: number;
  readonly otherBytes: number;
  /** Bytes of the file that the write replaces; 0 for none. */
  readonly ownBytes: number;
  /** Bytes of all files of the tenant, beside the file to write. */
  readonly tenantBytes: number;
  /** True if the path is a folder of other files, or lies under a file. */
  readonly isTaken: boolean;
}

/**
 * Finds the limit that a write of `bytes` bytes would exceed; null if the file may be written.
 *
 * @param mostTenantBytes maximum bytes of all workspaces of a tenant; what makes a file no longer is allowed beyond it
 */
export function findWriteFault(
  { otherFiles, otherBytes, ownBytes, tenantBytes, isTaken }: WorkspaceUse,
  bytes: number,
  mostTenantBytes = Infinity,
): WriteFault | null {
  if (isTaken) return 'path_taken';
  if (otherFiles + 1 > WORKSPACE_LIMITS.files) return 'too_many_files';
  const isTooLong = bytes > WORKSPACE_LIMITS.fileBytes || otherBytes + bytes > WORKSPACE_LIMITS.totalBytes;
  if (isTooLong) return 'too_many_bytes';
  return bytes > ownBytes && tenantBytes + bytes > mostTenantBytes ? 'tenant_full' : null;
}
