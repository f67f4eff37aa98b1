import type { ServerCredentials } from '#libs/tooling';
import { McpConnector, type McpConnection, type McpServer } from './mcp-connection.js';
import type { SdkConnector, SdkConnectorOptions } from './sdk-connector.js';

/**
 * `SdkConnector`, whose library is loaded for the first connection: it holds 4 MB, and most processes never speak to a
 * tool server.
 */
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

/** Rejects where the installation is broken, which is no failure of a server: the next connection finds the same. */
async function loadConnector(options: SdkConnectorOptions): Promise<SdkConnector> {
  const { SdkConnector } = await import('./sdk-connector.js');
  return new SdkConnector(options);
}
