import { serverToolPrefix } from '#libs/tooling';
import { z } from 'zod';

const WORDS =
  '"*" for every tool of every server, "mcp__{server}__*" for every tool of one, or the name of a tool: "mcp__{server}__{tool}"';
const NAME = /^(\*|mcp__[a-z](?:(?!__)[a-z0-9_]){0,31}__(\*|[A-Za-z0-9_-]+))$/;

/** An agent's `tools.servers`: the tools of the tenant's servers that it may call. */
export const serverSelectionSchema = z
  .array(z.string(WORDS).max(64, WORDS).regex(NAME, WORDS), `must be a list of: ${WORDS}`)
  .max(200, 'must have at most 200 entries')
  .default([]);

/** Servers and tools selected by a list of names. */
export class ServerSelection {
  constructor(private readonly names: readonly string[]) {}

  get isEmpty(): boolean {
    return this.names.length === 0;
  }

  /** Servers selected by name, without duplicates; the agent requires these. */
  get namedServers(): readonly string[] {
    const servers = this.names.flatMap((name) => /^mcp__([a-z0-9_]+?)__/.exec(name)?.[1] ?? []);
    return [...new Set(servers)];
  }

  /** Tools selected individually. */
  get namedTools(): readonly string[] {
    return this.names.filter((name) => !name.endsWith('*'));
  }

  includesServer(server: string): boolean {
    return this.names.includes('*') || this.namedServers.includes(server);
  }

  /** @param tool name that models call */
  includesTool(server: string, tool: string): boolean {
    return this.names.some(
      (name) => name === '*' || name === `${serverToolPrefix(server)}*` || name === tool,
    );
  }
}
