import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

/** A small server written with the server part of the MCP SDK. */
export function realMcpServer(): McpServer {
  const server = new McpServer({ name: 'real', version: '1.0.0' });
  server.registerTool(
    'add',
    {
      title: 'Add',
      description: 'Adds two numbers.',
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
      structuredContent: { sum: a + b },
    }),
  );
  server.registerTool('fail', { description: 'Fails.', inputSchema: {} }, () => ({
    isError: true,
    content: [{ type: 'text', text: 'the printer is on fire' }],
  }));
  server.registerTool(
    'wait',
    { description: 'Counts, and never ends.', inputSchema: {} },
    async (_input, { signal, sendNotification, _meta }) => {
      const progressToken = _meta?.progressToken ?? 0;
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, total: 2, message: 'half of it' },
      });
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return { content: [] };
    },
  );
  server.registerTool(
    'meta',
    { description: 'Says what came in _meta.', inputSchema: {} },
    (_input, { _meta }) => ({ content: [{ type: 'text', text: JSON.stringify(_meta) }] }),
  );
  server.registerTool('ask', { description: 'Wants to know more.', inputSchema: {} }, async () => {
    const requests = [
      server.server.request(
        {
          method: 'elicitation/create',
          params: { message: 'Your password?', requestedSchema: { type: 'object', properties: {} } },
        },
        z.looseObject({}),
      ),
      server.server.request(
        { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
        z.looseObject({}),
      ),
      server.server.request({ method: 'roots/list' }, z.looseObject({})),
    ];
    const answers = await Promise.allSettled(requests);
    const codes = answers.map((answer) =>
      answer.status === 'rejected' ? (answer.reason as { code?: number }).code : 'answered',
    );
    return { content: [{ type: 'text', text: JSON.stringify(codes) }] };
  });
  return server;
}
