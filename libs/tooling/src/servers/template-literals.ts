import { isJsonObject, type JsonObject } from '#libs/kernel';
import { placeholdersOf } from './template-text.js';
import type { ToolServerConnection } from './tool-server.js';

/** Configuration fields that may hold secrets: templates by name, and the OAuth client's credentials. */
const SEALED_FIELDS = ['headers_template', 'query_template', 'env_template', 'security', 'auth'] as const;

/** Secret fields of `auth`. */
const AUTH_SECRETS: ReadonlySet<string> = new Set(['client_secret', 'private_key']);

/** Template texts, by field and name. */
export type TemplateLiterals = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Separates possible secrets from a configuration: templates without a placeholder, which are literal values of the
 * tenant, and the OAuth client's credentials. Null replaces each of them. Placeholder values are not part of a
 * configuration.
 */
export function splitLiterals({ config }: Pick<ToolServerConnection, 'config'>): {
  readonly open: JsonObject;
  readonly literals: TemplateLiterals;
} {
  const open: Record<string, JsonObject[string]> = { ...(config as JsonObject) };
  const literals: Record<string, Record<string, string>> = {};
  for (const field of SEALED_FIELDS) {
    const templates = open[field];
    if (!isJsonObject(templates)) continue;
    const taken = Object.entries(templates).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && isLiteral(field, entry[0], entry[1]),
    );
    if (taken.length === 0) continue;
    literals[field] = Object.fromEntries(taken);
    open[field] = { ...templates, ...Object.fromEntries(taken.map(([name]) => [name, null])) };
  }
  return { open, literals };
}

/** Puts literals back in place of null. Entries without a known literal stay null. */
export function restoreLiterals(open: JsonObject, literals: TemplateLiterals): JsonObject {
  const config: Record<string, JsonObject[string]> = { ...open };
  for (const field of SEALED_FIELDS) {
    const templates = config[field];
    if (!isJsonObject(templates)) continue;
    const known = literals[field] ?? {};
    config[field] = Object.fromEntries(
      Object.entries(templates).map(([name, template]) => [
        name,
        template === null && Object.hasOwn(known, name) ? (known[name] ?? null) : template,
      ]),
    );
  }
  return config;
}

/** Positions where null stands for a secret text. */
export function findNulls(config: JsonObject): (readonly [field: string, name: string])[] {
  return SEALED_FIELDS.flatMap((field) => {
    const templates = config[field];
    if (!isJsonObject(templates)) return [];
    return Object.keys(templates)
      .filter((name) => templates[name] === null && (field !== 'auth' || AUTH_SECRETS.has(name)))
      .map((name) => [field, name] as const);
  });
}

/**
 * Destination of a configuration's secrets, as text that differs for another server, service or program: secrets
 * entered for one destination are never sent to another.
 */
export function destinationOf(type: string, config: JsonObject): string {
  const { url, base_url: baseUrl, document, command, args, auth } = config;
  switch (type) {
    case 'http':
    case 'sse':
      return `url ${originOf(url)}${issuerOf(auth)}`;
    case 'stdio':
      return `program ${JSON.stringify([command, args ?? []])}`;
    case 'openapi':
      return typeof baseUrl === 'string'
        ? `url ${originOf(baseUrl)}${issuerOf(auth)}`
        : `document ${JSON.stringify(document)}`;
    default:
      return type;
  }
}

/** The authorization server that receives the client's credentials. */
function issuerOf(auth: unknown): string {
  return isJsonObject(auth) ? ` issuer ${JSON.stringify(auth['issuer'] ?? null)}` : '';
}

function isLiteral(field: string, name: string, text: string): boolean {
  return field === 'auth' ? AUTH_SECRETS.has(name) : placeholdersOf(text).length === 0;
}

/** Scheme, host and port, in lower case. */
function originOf(url: unknown): string {
  return typeof url === 'string' ? (/^[^/]*\/\/[^/?#]*/.exec(url)?.[0].toLowerCase() ?? url) : '';
}
