import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v4 as uuidv4 } from 'uuid';
import type { JsonObject } from '#libs/kernel';
import { ConnectionGrantStore } from '#libs/persistence';
import { connectionPlace, SecretBox } from '#libs/secrets';
import {
  readIssued,
  readScope,
  type ConnectionGrant,
  type ConnectionShelf,
  type HeldConnection,
  type ReconnectReason,
} from '#libs/tool-sources';
import { destinationOf, type ToolServer } from '#libs/tooling';

/** Stored connections of users, with sealed tokens. */
@Injectable()
export class SealedConnections implements ConnectionShelf {
  constructor(
    private readonly store: ConnectionGrantStore,
    private readonly box: SecretBox,
  ) {}

  async read(server: ToolServer, userId: string): Promise<HeldConnection | null> {
    const { tenantId, id } = server;
    const row = await this.store.read(tenantId, id, userId, destinationHash(server));
    if (row === null) return null;
    const { sealed, remainingMs, lifetimeMs } = row;
    const grant = this.open(tenantId, row.id, sealed) as ConnectionGrant;
    return { id: row.id, grant, remainingMs, lifetimeMs };
  }

  async beginRefresh(id: string): ReturnType<ConnectionShelf['beginRefresh']> {
    const lease = uuidv4();
    const begun = await this.store.beginRefresh(id, lease);
    return begun === null ? null : { lease, ...begun };
  }

  keepRefreshed(
    { tenantId }: ToolServer,
    id: string,
    lease: string,
    grant: ConnectionGrant,
  ): Promise<boolean> {
    return this.store.keepRefreshed(id, lease, this.sealGrant(tenantId, id, grant));
  }

  endRefresh(id: string, lease: string): Promise<void> {
    return this.store.endRefresh(id, lease);
  }

  giveUp(id: string, lease: string, reason: ReconnectReason): Promise<void> {
    return this.store.giveUp(id, lease, reason);
  }

  noteMissingScope(id: string, scope: string): Promise<void> {
    return this.store.noteMissingScope(id, scope.slice(0, MAX_SCOPE_CHARACTERS));
  }

  /** Stores the grant of a connection attempt; returns false if the attempt is obsolete. */
  connect(server: ToolServer, id: string, attemptId: string, grant: ConnectionGrant): Promise<boolean> {
    const sealed = this.sealGrant(server.tenantId, id, grant);
    return this.store.connect(id, attemptId, destinationHash(server), sealed);
  }

  open(tenantId: string, id: string, sealed: string): unknown {
    return JSON.parse(this.box.open(sealed, connectionPlace(tenantId, id)));
  }

  seal(tenantId: string, id: string, content: object): string {
    return this.box.seal(JSON.stringify(content), connectionPlace(tenantId, id));
  }

  /** Throws a `ToolServerFailure` if the issued token is not a bearer token. */
  private sealGrant(tenantId: string, id: string, grant: ConnectionGrant) {
    const { lifetimeMs } = readIssued(grant.tokens);
    return { sealed: this.seal(tenantId, id, grant), lifetimeMs, scope: readScope(grant.tokens) };
  }
}

const MAX_SCOPE_CHARACTERS = 2_048;

/** Binds a consent to the server's current destination, so that it does not apply after the server is reconfigured. */
function destinationHash({ type, config }: ToolServer): string {
  return createHash('sha256')
    .update(destinationOf(type, config as JsonObject))
    .digest('base64url');
}
