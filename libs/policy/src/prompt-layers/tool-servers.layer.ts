import { inTag, onOneLine, type PromptLayer } from './prompt-layer.js';

/** A tool server, and how it describes itself (3.I-7). */
export interface DescribedServer {
  readonly name: string;
  readonly description: string;
}

/** The layer of tool servers' own descriptions; a server without one is left out. */
export function toolServersLayer(servers: readonly DescribedServer[]): PromptLayer {
  const described = servers.filter(({ description }) => description.trim() !== '');
  if (described.length === 0) return null;
  return inTag(
    'tool_servers',
    described.map(({ name, description }) => `- ${onOneLine(name)}: ${onOneLine(description)}`),
  );
}
