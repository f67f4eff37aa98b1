import { join } from 'node:path';
import type { DeliveredFile } from '#libs/agent-core';
import { WorkspaceFiles, type FileOwner } from '#libs/executions';
import type { Workspace } from '#libs/policy';
import { FileSandbox, listFolder } from '#libs/tool-sources';
import { toOpenedDelivery, type Delivery } from '#libs/tooling';

/** What can be the name of a folder and nothing else. */
const FOLDER_NAME = /^[A-Za-z0-9_-]{1,100}$/;
/** What tools, models and users call the folder. */
const SEEN_AS = '/files';
const LIMITS = { files: 200, depth: 8 };

/**
 * The files of conversations: each has a folder of its own, in that of its tenant, which tools see as `/files`; so no tool
 * reads the files of another conversation or tenant.
 */
export class SessionFiles extends WorkspaceFiles {
  /** `root` is null where no folder for files is configured: then there are none. */
  constructor(private readonly root: string | null) {
    super();
  }

  /** Makes what a tool left under `/files` ready for its user: only what the sandbox lets out (S0-39 … S0-42). */
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

  /** What the prompt says of them (S4-6); null where there is no folder for files. */
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
