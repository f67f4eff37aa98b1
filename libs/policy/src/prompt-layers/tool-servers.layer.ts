import { inTag, onOneLine, type PromptLayer } from './prompt-layer.js';

/** A server that tools come from, as its description speaks of it (3.I-7). */
export interface DescribedServer {
  readonly name: string;
  readonly description: string;
}

/** What the servers behind the tools say of themselves; one that says nothing is left out. */
export function toolServersLayer(servers: readonly DescribedServer[]): PromptLayer {
  const described = servers.filter(({ description }) => description.trim() !== '');
  if (described.length === 0) return null;
  return inTag(
    'tool_servers',
    described.map(({ name, description }) => `- ${onOneLine(name)}: ${onOneLine(description)}`),
  );
}
