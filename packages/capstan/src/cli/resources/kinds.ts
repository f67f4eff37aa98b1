import type { Capstan } from '../../client/index.js';
import type { CallOptions } from '../../client/index.js';

/** Fields of a resource as files and answers have them. */
export type Fields = Readonly<Record<string, unknown>>;

/** Kinds of resources in files, in the order in which they are applied: each refers to those before it. */
export const KINDS = ['llm', 'skill', 'tool_server', 'datasource', 'agent', 'webhook_endpoint'] as const;
export type Kind = (typeof KINDS)[number];

/** A place within fields; `*` stands for each item of a list. */
interface Reference {
  readonly path: readonly string[];
  readonly to: Kind;
}

interface KindOfResource {
  /** As paths of the API call it. */
  readonly path: 'agents' | 'datasources' | 'llms' | 'mcp-servers' | 'skills' | 'webhook-endpoints';
  /** Fields of an answer that no file has. */
  readonly readOnly: readonly string[];
  /** Places of ids, where files have names. */
  readonly references: readonly Reference[];
}

const TIMES = ['created_at', 'updated_at'];

export const KIND_OF: Readonly<Record<Kind, KindOfResource>> = {
  llm: { path: 'llms', readOnly: ['api_key_hint', ...TIMES], references: [] },
  skill: { path: 'skills', readOnly: TIMES, references: [] },
  tool_server: { path: 'mcp-servers', readOnly: TIMES, references: [] },
  datasource: {
    path: 'datasources',
    readOnly: ['document_count', ...TIMES],
    references: [{ path: ['llm_id'], to: 'llm' }],
  },
  agent: {
    path: 'agents',
    readOnly: [],
    references: [
      { path: ['llm'], to: 'llm' },
      { path: ['config', 'memory', 'llm'], to: 'llm' },
      { path: ['config', 'datasource_ids', '*'], to: 'datasource' },
      { path: ['tools', 'search_knowledge', 'datasource_ids', '*'], to: 'datasource' },
      { path: ['tools', 'agents', '*', 'agent'], to: 'agent' },
      { path: ['tools', 'agents', '*', 'agents', '*', 'agent'], to: 'agent' },
      { path: ['config', 'steps', '*', 'agent'], to: 'agent' },
      { path: ['config', 'steps', '*', 'do', 'agent'], to: 'agent' },
    ],
  },
  webhook_endpoint: {
    path: 'webhook-endpoints',
    readOnly: ['previous_secret_expires_at', 'paused_until', 'created_at'],
    references: [],
  },
};

/** A resource as a list has it. */
export interface Listed {
  readonly id: number | string;
  readonly name: string;
}

/** A resource that may have an id only. */
type Unnamed = Pick<Listed, 'id'> & { readonly name: string | null };

/** Answer to a resource that is applied by its name. */
export interface AppliedAnswer {
  readonly outcome: 'created' | 'changed' | 'unchanged';
  readonly changed_fields: readonly string[];
  readonly resource: Listed | null;
}

/** Requests about resources of any kind. */
export class ResourceRequests {
  constructor(
    private readonly client: Capstan,
    private readonly options: CallOptions,
  ) {}

  /** Resources that have a name. */
  async list(kind: Kind): Promise<Listed[]> {
    const { client, options } = this;
    const lists = {
      llm: () => client.llms.list({}, options),
      skill: () => client.skills.list({}, options),
      tool_server: () => client.toolServers.list({}, options),
      datasource: () => client.datasources.list({}, options),
      agent: () => client.agents.list({}, options),
      webhook_endpoint: () => client.webhookEndpoints.list({}, options),
    };
    const found: Listed[] = [];
    for await (const { id, name } of lists[kind]() as AsyncIterable<Unnamed>) {
      if (name !== null) found.push({ id, name });
    }
    return found;
  }

  read(kind: Kind, id: number | string): Promise<Fields & Listed> {
    return this.ask('GET', `${pathOf(kind)}${id}/`);
  }

  apply(kind: Kind, name: string, body: Fields): Promise<AppliedAnswer> {
    return this.ask('PUT', `${pathOf(kind)}by-name/${encodeURIComponent(name)}/`, body);
  }

  /** An agent becomes inactive; the others are deleted. */
  async remove(kind: Kind, id: number | string): Promise<void> {
    await this.ask('DELETE', `${pathOf(kind)}${id}/`);
  }

  /** Resources that were applied as a part of this set, by kind and id; deleted ones among them. */
  async listOwned(managedBy: string): Promise<ReadonlySet<string>> {
    const owned = new Set<string>();
    const pages = this.client.managedResources.list({ managed_by: managedBy }, this.options);
    for await (const { kind, id } of pages) owned.add(`${kind} ${id}`);
    return owned;
  }

  private async ask<T>(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: Fields): Promise<T> {
    return this.client.request<T>(method, path, body, this.options);
  }
}

function pathOf(kind: Kind): string {
  return `/api/${KIND_OF[kind].path}/`;
}

/** Key of a resource among those that a set owns. */
export function ownedKey(kind: Kind, id: number | string): string {
  return `${KIND_OF[kind].path} ${id}`;
}
