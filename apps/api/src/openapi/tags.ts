import type { OpenAPIObject } from '@nestjs/swagger';
import { domains } from '../domains.js';

type Tags = NonNullable<OpenAPIObject['tags']>;

/** Descriptions of the operation groups, in the order of the OpenAPI document. */
const TAGS: Readonly<Record<string, string>> = {
  executions: 'Submit work to agents, follow it, read its results, decide on tool calls.',
  sessions:
    'Conversations: the executions of a session run one after the other and read the earlier messages.',
  agents: 'Agents: model, strategy, prompt, tools and limits, kept in versions.',
  skills: 'Named instructions that agents read when they need them.',
  memories: 'Facts about the people that agents act for: read, written, changed and forgotten.',
  datasources: 'Groups of documents that are searched together, with their embedding model.',
  documents: 'Documents that agents answer from: files, texts or URLs, ingested by workers.',
  files: 'Uploaded files, for attaching to requests.',
  'model configurations': 'Model configurations: model, provider and key.',
  'webhook endpoints': 'URLs that receive the events of the executions of a tenant.',
  'webhook deliveries': 'Webhook deliveries, their attempts, and redelivery.',
  'webhook signing secret': 'The secrets that sign the webhooks of single executions.',
  'tool servers': 'Sources of tools of a tenant: MCP servers, and HTTP services with an OpenAPI description.',
  connections: 'Consents of users to tool servers that are used on their behalf (OAuth).',
  tools: 'Tools available to agents, and trial calls.',
  'managed resources': 'What sets of files have applied by name.',
  usage: 'Tokens and cost of model calls.',
  overview: 'Sums of unsettled and settled executions.',
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
      description: `Part of the domain \`${domain}\`.`,
    })),
  ];
  return { ...document, tags };
}
