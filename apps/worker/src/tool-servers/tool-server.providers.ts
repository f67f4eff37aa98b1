import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock, systemTimers } from '#libs/kernel';
import { ToolServerStore } from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import {
  BuiltinServerDriver,
  BuiltinTools,
  compileForeignSchema,
  KeptReaders,
  limitDrivers,
  ServerAccess,
  ServerCalls,
  TenantServers,
  type ToolServerDrivers,
} from '#libs/tool-sources';
import { TokenStore } from '#libs/tooling';
import { DataSource } from 'typeorm';
import { TOOL_SERVER_DRIVERS, WORKER_CONFIG } from '../worker.tokens.js';
import { McpServers, mcpProvider } from './mcp.providers.js';
import { oauthProviders } from './oauth.providers.js';
import { OpenApiServers, openApiProvider } from './openapi.providers.js';
import { SealedShelf } from './sealed-shelf.js';

/** The tool servers of tenants, for the attempts of this process. */
export const toolServerProviders: Provider[] = [
  mcpProvider,
  openApiProvider,
  ...oauthProviders,
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
  {
    provide: SealedShelf,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: (dataSource: DataSource, { encryptionKey }: AppConfig) =>
      new SealedShelf(
        new ToolServerStore(dataSource),
        encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey)),
      ),
  },
  {
    // Runs and trials share the room that each server has in this process.
    provide: ServerCalls,
    useFactory: () => new ServerCalls({ now: () => systemClock.monotonic(), timers: systemTimers }),
  },
  {
    provide: TenantServers,
    inject: [SealedShelf, TOOL_SERVER_DRIVERS, TokenStore, ServerCalls, ServerAccess],
    useFactory: (
      shelf: SealedShelf,
      drivers: ToolServerDrivers,
      tokens: TokenStore,
      calls: ServerCalls,
      access: ServerAccess,
    ) => {
      const readers = new KeptReaders(compileForeignSchema);
      const limited = limitDrivers(drivers, calls);
      return new TenantServers({ shelf, drivers: limited, tokens, access, compileReader: readers.of });
    },
  },
];
