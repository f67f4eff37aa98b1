import type { ToolServer } from '#libs/tooling';

/** Which server, and in which version. */
export type ShelvedServer = Pick<ToolServer, 'id' | 'name' | 'version'>;

/** Where the tool servers of tenants are. */
export interface ToolServerShelf {
  /** The active ones of a tenant, by name, ascending. */
  listActive(tenantId: string): Promise<readonly ShelvedServer[]>;
  /**
   * One of them, in this version or a later one, with its literals in place; null where it is gone, or not active any
   * more. Throws an `AppError` where what is sealed cannot be opened.
   */
  read(tenantId: string, id: string, version: number): Promise<ToolServer | null>;
}
