import type {
  ServerCredentials,
  ServerTool,
  ToolContext,
  ToolReturn,
  ToolServer,
  ToolSourceContext,
} from '#libs/tooling';

/** No credentials at all. */
export const NO_CREDENTIALS: ServerCredentials = {
  headers: {},
  query: {},
  env: {},
  security: {},
  missing: [],
};

export function httpServer(url: string, more: Partial<ToolServer> = {}): ToolServer {
  return toolServer({ type: 'http', config: { url, headers_template: {} }, ...more } as Partial<ToolServer>);
}

export function toolServer(more: Partial<ToolServer>): ToolServer {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    tenantId: 'tenant-1',
    name: 'crm',
    version: 1,
    tools: {},
    limits: { timeout_ms: 10_000, concurrency: 8 },
    ...more,
  } as ToolServer;
}

/** The context of one call. */
export function toolContext(more: Partial<ToolContext> = {}): ToolContext {
  return {
    ...runOf('execution-1'),
    idempotencyKey: 'execution-1.1.0',
    signal: new AbortController().signal,
    events: { progress: () => undefined },
    ...more,
  };
}

export function runOf(executionId: string): ToolSourceContext {
  return {
    ...{ tenantId: 'tenant-1', executionId, sessionId: 'session-1', scope: '', executor: null },
    ...{ agentTools: {}, hasSkills: false, signal: new AbortController().signal },
  };
}

export function callOf(
  tools: readonly ServerTool[],
  name: string,
  context: ToolContext = toolContext(),
  input: object = {},
): Promise<ToolReturn> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool.run(input, context);
}
