import { join } from 'node:path';
import type { DeliveredFile } from '#libs/agent-core';
import { WorkspaceFiles, type FileOwner } from '#libs/executions';
import type { Workspace } from '#libs/policy';
import { FileSandbox, listFolder } from '#libs/tool-sources';
import { toOpenedDelivery, type Delivery } from '#libs/tooling';

/** Characters that are safe as the name of a single folder. */
const FOLDER_NAME = /^[A-Za-z0-9_-]{1,100}$/;
/** Path of the folder as tools, models and users see it. */
const SEEN_AS = '/files';
const LIMITS = { files: 200, depth: 8 };

/**
 * Workspace files of conversations. Each has its own folder below its tenant's, shown to tools as `/files`, so that no
 * tool reads files of another conversation or tenant.
 */
export class SessionFiles extends WorkspaceFiles {
  /** @param root null when no workspace folder is configured */
  constructor(private readonly root: string | null) {
    super();
  }

  /** Opens the files that a tool delivers from `/files`, within the limits of the sandbox (S0-39 … S0-42). */
  override async open(owner: FileOwner, deliveries: readonly Delivery[]): Promise<DeliveredFile[]> {
    const folder = this.folderOf(owner);
    const sandbox = folder === null ? null : new FileSandbox({ root: folder });
    const ready: DeliveredFile[] = [];
    for (const delivery of deliveries) {
      if (delivery.kind !== 'open') ready.push(delivery);
      else {
        const opened = (await sandbox?.read(delivery.file.path)) ?? { kind: 'refused' as const };
        const file = toOpenedDelivery(delivery.file, opened);
        if (file !== null) ready.push(file);
      }
    }
    return ready;
  }

  /** Lists the files for the prompt (S4-6); null without a workspace folder. */
  override async list(owner: FileOwner): Promise<Workspace | null> {
    const folder = this.folderOf(owner);
    if (folder === null) return null;
    const { files, isCut } = await listFolder(folder, LIMITS);
    return { path: SEEN_AS, files: files.map((file) => ({ ...file, source: 'session' })), isCut };
  }

  private folderOf({ tenantId, sessionId }: FileOwner): string | null {
    if (this.root === null || !FOLDER_NAME.test(tenantId) || !FOLDER_NAME.test(sessionId)) return null;
    return join(this.root, tenantId, sessionId);
  }
}
