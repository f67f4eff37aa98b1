import type { DeliveredFile } from '#libs/agent-core';
import type { Workspace } from '#libs/policy';
import type { Delivery } from '#libs/tooling';
import type { Claim } from './claim-store.js';

/** Owner of workspace files: a tenant's session. */
export type FileOwner = Pick<Claim, 'tenantId' | 'sessionId'>;

/** Workspace files of conversations. */
export abstract class WorkspaceFiles {
  /** Lists the files as a prompt shows them. */
  abstract list(owner: FileOwner): Promise<Workspace>;
  /** Opens the files that a tool delivered to its user; the sandbox refuses paths outside their folder. */
  abstract open(owner: FileOwner, deliveries: readonly Delivery[]): Promise<DeliveredFile[]>;
}
