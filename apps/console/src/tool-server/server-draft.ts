import type { ToolServer, ToolServerFields, ToolServerType } from '../api/types.js';
import { isObject, type JsonObject } from '../format/json-object.js';

/** A text by its name. A stored text is never shown: null keeps it. */
export interface Template {
  readonly name: string;
  readonly value: string | null;
  /** Whether there is a stored text that an empty value keeps. */
  readonly isStored: boolean;
}

export type TemplateField = 'headers_template' | 'query_template' | 'env_template' | 'security';

/** A tool server as it stands in the form, with the fields of every type. */
export interface ServerDraft {
  readonly name: string;
  readonly type: ToolServerType;
  readonly status: ToolServer['status'];
  readonly url: string;
  readonly base_url: string;
  readonly command: string;
  /** Arguments, one a line. */
  readonly args: string;
  /** Text of the description, or its files. */
  readonly document: unknown;
  readonly templates: Readonly<Record<TemplateField, readonly Template[]>>;
  /** Null without OAuth. */
  readonly auth: JsonObject | null;
  readonly tools: NonNullable<ToolServerFields['tools']>;
  readonly limits: { readonly timeout_ms: number; readonly concurrency: number };
}

export const EMPTY_SERVER: ServerDraft = {
  name: '',
  type: 'http',
  status: 'active',
  url: '',
  base_url: '',
  command: '',
  args: '',
  document: '',
  templates: { headers_template: [], query_template: [], env_template: [], security: [] },
  auth: null,
  tools: {},
  limits: { timeout_ms: 30_000, concurrency: 8 },
};

/** The form's content for a stored server. Pure. */
export function serverDraftOf({ name, type, status, config, tools, limits }: ToolServer): ServerDraft {
  const { args, auth } = config;
  return {
    ...{ name, type, status, limits },
    url: textOf(config['url']),
    base_url: textOf(config['base_url']),
    command: textOf(config['command']),
    args: Array.isArray(args) ? args.join('\n') : '',
    document: config['document'] ?? '',
    templates: {
      headers_template: templatesOf(config['headers_template']),
      query_template: templatesOf(config['query_template']),
      env_template: templatesOf(config['env_template']),
      security: templatesOf(config['security']),
    },
    auth: isObject(auth) ? auth : null,
    tools,
  };
}

function templatesOf(value: unknown): Template[] {
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, text]) => ({
    name,
    value: typeof text === 'string' ? text : null,
    isStored: typeof text !== 'string',
  }));
}

/** `config` of a server with these fields; an empty text of a stored one keeps it. Pure. */
export function configOf(draft: ServerDraft): JsonObject {
  const { type, url, base_url: baseUrl, command, args, document, templates } = draft;
  const auth = draft.auth === null ? {} : { auth: authOf(draft.auth) };
  switch (type) {
    case 'http':
    case 'sse':
      return {
        url: url.trim(),
        ...writtenTemplates({ headers_template: templates.headers_template }),
        ...auth,
      };
    case 'stdio':
      return {
        command: command.trim(),
        args: args === '' ? [] : args.split('\n'),
        ...writtenTemplates({ env_template: templates.env_template }),
      };
    case 'openapi': {
      const { env_template: _, ...ofService } = templates;
      return {
        document,
        ...(baseUrl.trim() === '' ? {} : { base_url: baseUrl.trim() }),
        ...writtenTemplates(ofService),
        ...auth,
      };
    }
    case 'builtin':
      return {};
  }
}

function writtenTemplates(groups: Partial<ServerDraft['templates']>): JsonObject {
  const filled = Object.entries(groups).filter(([, rows]) => rows.length > 0);
  return Object.fromEntries(
    filled.map(([field, rows]) => [
      field,
      Object.fromEntries(
        rows.map(({ name, value, isStored }) => [name, isStored && value === '' ? null : value]),
      ),
    ]),
  );
}

/** Fields of an OAuth client by its grant and how it proves itself; those of `SECRET_FIELDS` are never shown. */
const AUTH_FIELDS: Readonly<Record<string, readonly string[]>> = {
  client_secret_basic: ['issuer', 'client_id', 'client_secret', 'scope'],
  client_secret_post: ['issuer', 'client_id', 'client_secret', 'scope'],
  private_key_jwt: ['issuer', 'client_id', 'key_algorithm', 'private_key', 'scope'],
  none: ['issuer', 'client_id', 'scope'],
  registered: ['issuer', 'client_metadata_url', 'scope'],
};

export const GRANTS: Readonly<Record<string, readonly string[]>> = {
  client_credentials: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  authorization_code: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none', 'registered'],
};

export const SECRET_FIELDS: readonly string[] = ['client_secret', 'private_key'];

/** Names of the fields that this client has, in their order. Pure. */
export function authFields({ grant, client_auth: clientAuth }: JsonObject): string[] {
  const fields = AUTH_FIELDS[String(clientAuth)] ?? [];
  return grant === 'authorization_code' ? [...fields, 'redirect_uri'] : [...fields];
}

/** Without fields of other ways, and without empty ones; an empty secret keeps the stored one. Pure. */
function authOf(auth: JsonObject): JsonObject {
  const { type = 'oauth', grant, client_auth } = auth;
  const fields = authFields(auth)
    .map((name) => [name, auth[name]] as const)
    .filter(([, value]) => value !== undefined && value !== '');
  return { type, grant, client_auth, ...Object.fromEntries(fields) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
