import { join } from 'node:path';
import type { DeliveredFile } from '#libs/agent-core';
import { WorkspaceFiles, type FileOwner } from '#libs/executions';
import type { Workspace } from '#libs/policy';
import { FileSandbox, listFolder, type FolderListing, type SandboxRead } from '#libs/tool-sources';
import {
  checkFilesPath,
  MAX_FILE_BYTES,
  toOpenedDelivery,
  WORKSPACE_LIMITS,
  type Delivery,
  type WorkspaceShelf,
  type WorkspaceWrite,
  type WorkspaceWriting,
} from '#libs/tooling';

/** Characters that are safe as the name of a single folder. */
const FOLDER_NAME = /^[A-Za-z0-9_-]{1,100}$/;
/** Path of the folder as tools, models and users see it. */
const SEEN_AS = '/files';
const LIMITS = { files: WORKSPACE_LIMITS.files, depth: 8 };
const NO_FILES: FolderListing = { files: [], isCut: false };

/**
 * Workspace files of conversations: those in the database, which every worker reaches, and those that tool servers put
 * into the conversation's folder of a disk, shown to tools as `/files`. Of two with one path the database's counts. No
 * tool reads files of another conversation or tenant.
 */
export class SessionFiles extends WorkspaceFiles implements WorkspaceShelf {
  /** @param root folder of the disk; null when none is configured */
  constructor(
    private readonly root: string | null,
    private readonly stored: WorkspaceShelf,
  ) {
    super();
  }

  /** Opens the files that a tool delivers from `/files`, within the limits of the sandbox (S0-39 … S0-42). */
  override async open(owner: FileOwner, deliveries: readonly Delivery[]): Promise<DeliveredFile[]> {
    const ready: DeliveredFile[] = [];
    for (const delivery of deliveries) {
      if (delivery.kind !== 'open') ready.push(delivery);
      else {
        const file = toOpenedDelivery(delivery.file, await this.openOne(owner, delivery.file.path));
        if (file !== null) ready.push(file);
      }
    }
    return ready;
  }

  /** Lists the files for the prompt and for tools (S4-6). */
  override async list(owner: FileOwner): Promise<Workspace> {
    const stored = await this.stored.list(owner);
    const folder = this.folderOf(owner);
    const onDisk = folder === null ? NO_FILES : await listFolder(folder, LIMITS);
    const files = new Map([...onDisk.files, ...stored.files].map((file) => [file.path, file]));
    const sorted = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    return {
      path: SEEN_AS,
      files: sorted.slice(0, LIMITS.files).map((file) => ({ ...file, source: 'session' })),
      isCut: onDisk.isCut || stored.isCut || sorted.length > LIMITS.files,
    };
  }

  /** Null also for a file that the sandbox refuses. */
  async read(owner: FileOwner, path: string): Promise<Uint8Array | null> {
    const opened = await this.openOne(owner, `${SEEN_AS}/${path}`);
    return opened.kind === 'read' ? Buffer.from(opened.base64, 'base64') : null;
  }

  /** Writes into the database. */
  write(owner: FileOwner, write: WorkspaceWrite): Promise<WorkspaceWriting> {
    return this.stored.write(owner, write);
  }

  private async openOne(owner: FileOwner, path: string): Promise<SandboxRead> {
    const checked = checkFilesPath(path);
    if (checked.kind === 'refused') return checked;
    const bytes = await this.stored.read(owner, checked.relative);
    if (bytes !== null) {
      const { byteLength: size } = bytes;
      return size > MAX_FILE_BYTES
        ? { kind: 'refused' }
        : { kind: 'read', base64: Buffer.from(bytes).toString('base64'), size };
    }
    const folder = this.folderOf(owner);
    return folder === null ? { kind: 'refused' } : new FileSandbox({ root: folder }).read(path);
  }

  private folderOf({ tenantId, sessionId }: FileOwner): string | null {
    if (this.root === null || !FOLDER_NAME.test(tenantId) || !FOLDER_NAME.test(sessionId)) return null;
    return join(this.root, tenantId, sessionId);
  }
}
