import type { ToolServer } from '#libs/tooling';

/** A server's id, name and version. */
export type ShelvedServer = Pick<ToolServer, 'id' | 'name' | 'version'>;

/** Storage of the tenants' tool servers. */
export interface ToolServerShelf {
  /** Active servers of a tenant, by name, ascending. */
  listActive(tenantId: string): Promise<readonly ShelvedServer[]>;
  /**
   * A server in this or a later version, with its literals restored; null if it was deleted or deactivated. Throws an
   * `AppError` if its secrets cannot be decrypted.
   */
  read(tenantId: string, id: string, version: number): Promise<ToolServer | null>;
}
