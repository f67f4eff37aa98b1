import { Module } from '@nestjs/common';
import {
  BuiltinServerDriver,
  BuiltinTools,
  ServerAccess,
  ServerCalls,
  TenantServers,
  workspaceTools,
  type ToolServerDrivers,
} from '#libs/tool-sources';
import { TokenStore } from '#libs/tooling';
import { DataSource } from 'typeorm';
import { SealedConnections } from '../connections/sealed-connections.js';
import { OpenedSecrets } from '../background-tasks/opened-secrets.js';
import { domains } from '../domains.js';
import { TOOL_SERVER_DRIVERS } from '../worker.tokens.js';
import { SessionFiles } from '../workspace/session-files.js';
import { WorkspaceModule } from '../workspace/workspace.module.js';
import { AuthorizationServers } from './authorization-servers.js';
import { DomainServers } from './domain-servers.js';
import { McpServers } from './mcp-servers.js';
import { OpenApiServers } from './openapi-servers.js';
import { SealedClientTokens } from './sealed-client-tokens.js';
import { ToolServerRepository } from './tool-server-repository.js';
import { SealedTokens } from './sealed-tokens.js';
import { ProcessServerCalls, StoredServerAccess, TenantServerTools } from './tenant-server-tools.js';

/** Tools of domains and of workspaces, and the tool servers of tenants. */
@Module({
  imports: [WorkspaceModule],
  providers: [
    DomainServers,
    OpenedSecrets,
    {
      provide: BuiltinTools,
      inject: [DataSource, OpenedSecrets, DomainServers, SessionFiles],
      useFactory: (
        { manager }: DataSource,
        secrets: OpenedSecrets,
        { fetchFor }: DomainServers,
        files: SessionFiles,
      ) =>
        new BuiltinTools([
          ...domains.tools({ manager, running: { secrets, fetchFor } }),
          ...workspaceTools(files),
        ]),
    },
    McpServers,
    OpenApiServers,
    {
      provide: TOOL_SERVER_DRIVERS,
      inject: [BuiltinTools, McpServers, OpenApiServers],
      useFactory: (
        builtin: BuiltinTools,
        { driver: mcp }: McpServers,
        { driver: openapi }: OpenApiServers,
      ): ToolServerDrivers => ({
        builtin: new BuiltinServerDriver(builtin.catalogue),
        ...{ http: mcp, sse: mcp, stdio: mcp },
        openapi,
      }),
    },
    AuthorizationServers,
    SealedClientTokens,
    SealedConnections,
    { provide: ServerAccess, useClass: StoredServerAccess },
    { provide: ServerCalls, useClass: ProcessServerCalls },
    { provide: TokenStore, useClass: SealedTokens },
    ToolServerRepository,
    { provide: TenantServers, useClass: TenantServerTools },
  ],
  exports: [
    OpenedSecrets,
    BuiltinTools,
    TOOL_SERVER_DRIVERS,
    AuthorizationServers,
    SealedConnections,
    ServerAccess,
    ServerCalls,
    TenantServers,
  ],
})
export class ToolServersModule {}
