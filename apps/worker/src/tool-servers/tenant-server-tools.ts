import { Inject, Injectable } from '@nestjs/common';
import { systemClock, systemTimers } from '#libs/kernel';
import {
  compileForeignSchema,
  KeptReaders,
  limitDrivers,
  ServerAccess,
  ServerCalls,
  TenantServers,
  type ToolServerDrivers,
} from '#libs/tool-sources';
import { TokenStore } from '#libs/tooling';
import { SealedConnections } from '../connections/sealed-connections.js';
import { TOOL_SERVER_DRIVERS } from '../worker.tokens.js';
import { AuthorizationServers } from './authorization-servers.js';
import { SealedClientTokens } from './sealed-client-tokens.js';
import { ToolServerRepository } from './tool-server-repository.js';

/** Calls of this process to tool servers; runs and trials share each server's limits. */
@Injectable()
export class ProcessServerCalls extends ServerCalls {
  constructor() {
    super({ now: () => systemClock.monotonic(), timers: systemTimers });
  }
}

/** Stored access tokens for tool servers. */
@Injectable()
export class StoredServerAccess extends ServerAccess {
  constructor(
    { client }: AuthorizationServers,
    clientTokens: SealedClientTokens,
    connections: SealedConnections,
  ) {
    super({ client, clientTokens, connections });
  }
}

/** Tools of a tenant's servers. */
@Injectable()
export class TenantServerTools extends TenantServers {
  constructor(
    shelf: ToolServerRepository,
    @Inject(TOOL_SERVER_DRIVERS) drivers: ToolServerDrivers,
    tokens: TokenStore,
    calls: ServerCalls,
    access: ServerAccess,
  ) {
    const readers = new KeptReaders(compileForeignSchema);
    super({ shelf, drivers: limitDrivers(drivers, calls), tokens, access, compileReader: readers.of });
  }
}
