import type { ServerCredentials } from '#libs/tooling';
import { McpConnector, type McpConnection, type McpServer } from './mcp-connection.js';
import type { SdkConnector, SdkConnectorOptions } from './sdk-connector.js';

/** `SdkConnector` with a lazily loaded MCP library, which takes 4 MB that most processes never need. */
export class LateSdkConnector extends McpConnector {
  private connector: Promise<SdkConnector> | null = null;

  constructor(private readonly options: SdkConnectorOptions) {
    super();
  }

  override async connect(
    server: McpServer,
    credentials: ServerCredentials,
    signal: AbortSignal,
  ): Promise<McpConnection> {
    this.connector ??= loadConnector(this.options);
    return (await this.connector).connect(server, credentials, signal);
  }
}

/** Rejects if the installation is broken. That is no failure of a server, and later connections fail as well. */
async function loadConnector(options: SdkConnectorOptions): Promise<SdkConnector> {
  const { SdkConnector } = await import('./sdk-connector.js');
  return new SdkConnector(options);
}
