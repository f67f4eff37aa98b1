import { z } from 'zod';

/**
 * The tools of a shop, for a server of the library's own server half: see `ToolServerBackend`.
 *
 * @param {import('@modelcontextprotocol/sdk/server/mcp.js').McpServer} server
 * @param {{ drop(): void, onHang(): void, onGivenUp(): void }} surroundings
 */
export function registerShopTools(server, { drop, onHang, onGivenUp }) {
  const says = (text) => ({ content: [{ type: 'text', text }] });
  server.registerTool('find', { description: 'Finds.', inputSchema: { word: z.string() } }, ({ word }) =>
    says(`found ${word}`),
  );
  server.registerTool('fail', { description: 'Fails.', inputSchema: {} }, () => ({
    ...says('out of paper'),
    isError: true,
  }));
  server.registerTool('flood', { description: 'Talks.', inputSchema: {} }, () =>
    says('x'.repeat(12 * 1_024 * 1_024)),
  );
  server.registerTool('drop', { description: 'Breaks off.', inputSchema: {} }, () => {
    drop();
    return new Promise(() => undefined);
  });
  server.registerTool('hang', { description: 'Waits.', inputSchema: {} }, async (_input, { signal }) => {
    onHang();
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    onGivenUp();
    return says('given up');
  });
}
