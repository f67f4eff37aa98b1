import type { DeliveredFile } from '#libs/agent-core';
import type { Workspace } from '#libs/policy';
import type { Delivery } from '#libs/tooling';
import type { Claim } from './claim-store.js';

/** Whose files. */
export type FileOwner = Pick<Claim, 'tenantId' | 'sessionId'>;

/** The files of conversations. */
export abstract class WorkspaceFiles {
  /** As far as a prompt lists them; null where no folder for files is configured. */
  abstract list(owner: FileOwner): Promise<Workspace | null>;
  /** What a tool left there for its user, ready for them: only what may leave the folder. */
  abstract open(owner: FileOwner, deliveries: readonly Delivery[]): Promise<DeliveredFile[]>;
}
