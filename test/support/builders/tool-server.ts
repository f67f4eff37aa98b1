import {
  toolServerConnectionSchema,
  toolServerLimitsSchema,
  type ServerTool,
  type ToolServer,
} from '#libs/tooling';

/** A server of the tenant `default`, over MCP and HTTP by default. */
export function aToolServer(
  name: string,
  {
    connection = { type: 'http', config: { url: `https://${name}.example.com/mcp` } },
    ...overrides
  }: Partial<Pick<ToolServer, 'tools' | 'limits' | 'version' | 'tenantId'>> & { connection?: object } = {},
): ToolServer {
  return {
    ...toolServerConnectionSchema.parse(connection),
    id: `id-of-${name}`,
    tenantId: 'default',
    name,
    version: 1,
    tools: {},
    limits: toolServerLimitsSchema.parse({}),
    ...overrides,
  };
}

/** A tool as its server lists it; it accepts any arguments and answers the text of `run`. */
export function aServerTool(name: string, overrides: Partial<ServerTool> = {}): ServerTool {
  return {
    name,
    label: name,
    description: `The tool ${name}.`,
    effect: 'unsafe',
    inputSchema: { type: 'object' },
    timeoutMs: 60_000,
    run: () =>
      Promise.resolve({
        result: { status: 'success', result: {} },
        outputs: [{ type: 'text', text: `${name} answered` }],
      }),
    ...overrides,
  };
}
