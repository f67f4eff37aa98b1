import type { OpenAPIObject } from '@nestjs/swagger';
import { domains } from '../domains.js';

type Tags = NonNullable<OpenAPIObject['tags']>;

/** Descriptions of the operation groups, in the order of the OpenAPI document. */
const TAGS: Readonly<Record<string, string>> = {
  executions:
    'Work that agents were given: submit it, follow it, read what became of it, decide where it asks.',
  sessions:
    'Conversations: the executions of a session run one after the other, and each knows what was said before.',
  agents: 'Agents: model, strategy, prompt, tools and limits, kept in versions.',
  skills: 'Named instructions that agents read when they need them.',
  memories: 'Facts about the people that agents act for: read, written, changed and forgotten.',
  datasources: 'Documents that are searched together, and what makes their vectors.',
  documents: 'Documents that agents answer from: given as files, texts or URLs, and taken in by workers.',
  files: 'Files that clients upload, to attach them to their requests.',
  'model configurations': 'Model configurations: model, provider and key.',
  'webhook endpoints': 'Where a tenant is sent what becomes of its executions.',
  'webhook deliveries': 'Deliveries with each of their attempts, and sending them again.',
  'webhook signing secret': 'The secrets that sign the webhooks of single executions.',
  'tool servers': 'Where a tenant’s tools come from: MCP servers, and HTTP services by their descriptions.',
  connections: 'Tool servers that are used on behalf of users, with what these agreed to.',
  tools: 'Tools that agents may be given, and trying one.',
  usage: 'Tokens and cost of model calls.',
  overview: 'What is under way and what has become of the rest, in sums.',
  workers: 'The worker processes of the installation; for keys with the scope `admin`.',
  tenants: 'The organisations of an installation; for keys with the scope `admin`.',
  'API keys': 'Keys of callers: made, replaced and revoked by keys with the scope `admin`.',
  'console sessions': 'Browsers that an API key has signed in.',
  health: 'For operators of the process.',
};

/** Adds a description for each used tag; tags of domains come last. */
export function withTags(document: OpenAPIObject): OpenAPIObject {
  const used = new Set(
    Object.values(document.paths).flatMap((item) =>
      Object.values(item as object).flatMap(({ tags = [] }: { tags?: string[] }) => tags),
    ),
  );
  const ours = Object.entries(TAGS).filter(([name]) => used.has(name));
  const ofDomains = [...domains.tags].filter(([name]) => used.has(name)).sort();
  const tags: Tags = [
    ...ours.map(([name, description]) => ({ name, description })),
    ...ofDomains.map(([name, domain]) => ({
      name,
      description: `Part of the domain \`${domain}\`; available where \`DOMAINS\` names it.`,
    })),
  ];
  return { ...document, tags };
}
