import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

export function registerShopTools(
  server: McpServer,
  surroundings: { drop(): void; onHang(): void; onGivenUp(): void },
): void;
