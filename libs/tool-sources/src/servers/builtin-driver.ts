import {
  ToolServerDriver,
  type OpenedServer,
  type ServerTool,
  type ToolCatalogue,
  type ToolDefinition,
} from '#libs/tooling';

/** Offers the built-in tools as a tenant's server; the tenant may make them stricter. */
export class BuiltinServerDriver extends ToolServerDriver {
  constructor(private readonly catalogue: ToolCatalogue) {
    super();
  }

  override open(): Promise<OpenedServer> {
    const tools = this.catalogue.names().flatMap((name): ServerTool[] => {
      const tool = this.catalogue.find(name);
      const readInput = this.catalogue.readerOf(name);
      return tool === undefined || readInput === undefined ? [] : [toServerTool({ ...tool, readInput })];
    });
    return Promise.resolve({ tools, warnings: [], close: () => Promise.resolve() });
  }
}

function toServerTool(tool: ToolDefinition): ServerTool {
  return { ...tool, claimedEffect: tool.effect, run: (input, context) => tool.run(input, context) };
}
