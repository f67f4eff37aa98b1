/** A shop on standard input and output; it appends the events of `hang` to a given file, a line each. */
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { registerShopTools } from './shop-tools.mjs';

const [, , file] = process.argv;
const server = new McpServer({ name: 'shop', version: '1.0.0' });
registerShopTools(server, {
  drop: () => process.exit(3),
  onHang: () => appendFileSync(file, 'begun\n'),
  onGivenUp: () => appendFileSync(file, 'given\n'),
});
await server.connect(new StdioServerTransport());
