import type { Workspace } from '#libs/policy';
import type { Claim } from './claim-store.js';

/** The files of a conversation, as far as a prompt lists them. */
export abstract class WorkspaceFiles {
  /** Null where no folder for files is configured. */
  abstract list(owner: Pick<Claim, 'tenantId' | 'sessionId'>): Promise<Workspace | null>;
}
