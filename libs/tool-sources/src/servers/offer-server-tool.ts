import {
  serverToolName,
  type ServerTool,
  type ToolDefinition,
  type ToolEffect,
  type ToolServer,
} from '#libs/tooling';

/** Ascending order of strictness. */
const STRICTNESS: readonly ToolEffect[] = ['read', 'idempotent', 'unsafe'];

/** Server types with untrusted effects: without the tenant's declaration their tools are `unsafe`. */
const FOREIGN_WORD: ReadonlySet<ToolServer['type']> = new Set(['http', 'sse', 'stdio']);

/** A server's tool as a run may call it, with the tenant's override applied. Null if hidden. */
export function offerServerTool(server: ToolServer, tool: ServerTool): ToolDefinition | null {
  const override = Object.hasOwn(server.tools, tool.name) ? server.tools[tool.name] : undefined;
  if (override?.is_hidden === true) return null;
  const { claimedEffect, ...definition } = tool;
  const undeclared = FOREIGN_WORD.has(server.type) ? 'unsafe' : tool.effect;
  const timeoutMs = Math.min(tool.timeoutMs, server.limits.timeout_ms);
  return {
    ...definition,
    name: serverToolName(server.name, tool.name),
    effect: stricter(override?.effect ?? undeclared, claimedEffect ?? 'read'),
    timeoutMs,
    isForeign: server.type !== 'builtin',
    ...(override?.approval === true && { approval: 'always' }),
    run: (input, context) => tool.run(input, context),
  };
}

function stricter(one: ToolEffect, other: ToolEffect): ToolEffect {
  return STRICTNESS.indexOf(one) >= STRICTNESS.indexOf(other) ? one : other;
}
