import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { mayBeCalled } from '#libs/guarded-fetch';
import { canonicalJson, type JsonObject } from '#libs/kernel';
import type { SealedToolServer } from '#libs/persistence';
import { SecretBox, toolServerPlace } from '#libs/secrets';
import { DescriptionReader } from '#libs/tool-sources';
import {
  describeLines,
  destinationOf,
  findNulls,
  mayRunLine,
  openApiDocumentSchema,
  restoreLiterals,
  splitLiterals,
  toolServerConnectionSchema,
  type TemplateLiterals,
  type ToolServerConnection,
  type ToolServerType,
} from '#libs/tooling';
import { API_CONFIG } from '../api.tokens.js';
import { InvalidRequestError } from '../http/request-errors.js';
import { explainIssue, toFieldErrors } from '../http/request-validation.js';
import {
  literalsStay,
  missingLiterals,
  refusedAddress,
  refusedCommand,
  unusableDocument,
} from './mcp-servers.errors.js';

/** A configuration as stored. */
export interface KeptConfig {
  readonly config: JsonObject;
  readonly literalsSealed: string | null;
}

interface GivenConfig {
  readonly type: ToolServerType;
  readonly config: JsonObject;
}

/** Validates configurations of tool servers, and seals the parts that may hold secrets. */
@Injectable()
export class ServerConfigKeeper {
  constructor(
    private readonly box: SecretBox,
    @Inject(API_CONFIG) private readonly config: Pick<AppConfig, 'stdio' | 'privateToolHosts'>,
    @Inject(DescriptionReader) private readonly descriptions: Pick<DescriptionReader, 'read'>,
  ) {}

  /**
   * Validates a configuration and prepares it for storage. Throws an error that names the field, and
   * `ENCRYPTION_NOT_CONFIGURED` where a text must be sealed.
   * @param stored the current version of an existing server; null in a template keeps its stored text
   */
  async keep(
    place: { readonly tenantId: string; readonly serverId: string },
    given: GivenConfig,
    stored: SealedToolServer | null,
  ): Promise<KeptConfig> {
    const { config: written, problems } = await this.withJson(place.tenantId, given);
    const config = this.fillNulls(given, written, stored);
    const connection = parseConnection({ type: given.type, config });
    if (
      connection.type === 'stdio' &&
      !mayRunLine(this.config.stdio.lines, place.tenantId, connection.config)
    )
      throw refusedCommand(describeLines(this.config.stdio.lines, place.tenantId));
    this.assertCallable(place.tenantId, connection);
    if (problems.length > 0) throw unusableDocument(problems);
    const { open, literals } = splitLiterals(connection);
    return { config: open, literalsSealed: this.seal(place, literals) };
  }

  /** Whether a configuration has the same sealed texts as the stored one. */
  hasStoredLiterals(stored: SealedToolServer, { literalsSealed }: KeptConfig): boolean {
    const given = this.open({ ...stored, literalsSealed });
    return canonicalJson(given) === canonicalJson(this.open(stored));
  }

  /** Checks addresses as written; a host name is checked again after its DNS lookup, at every connection. */
  private assertCallable(tenantId: string, connection: ToolServerConnection): void {
    for (const [path, url] of addressesOf(connection))
      if (!mayBeCalled(url, tenantId, this.config.privateToolHosts)) throw refusedAddress(path);
  }

  /** Converts the OpenAPI document, if any, to JSON; an invalid one is left for the schema to refuse. */
  private async withJson(
    tenantId: string,
    { type, config }: GivenConfig,
  ): Promise<{ readonly config: JsonObject; readonly problems: readonly string[] }> {
    const read = type === 'openapi' ? openApiDocumentSchema.safeParse(config['document']) : null;
    if (read?.success !== true) return { config, problems: [] };
    const { document, check } = await this.descriptions.read(tenantId, read.data);
    return { config: { ...config, document }, problems: check.problems };
  }

  /**
   * Restores stored texts for nulls in templates. Throws where the destination has changed.
   * @param config the configuration with its document as JSON; older rows store the document as it was given
   */
  private fillNulls(
    { type, config: given }: GivenConfig,
    config: JsonObject,
    stored: SealedToolServer | null,
  ): JsonObject {
    const nulls = findNulls(config);
    if (nulls.length === 0) return config;
    if (stored === null || stored.type !== type) throw missingLiterals(nulls);
    const kept = destinationOf(type, stored.config);
    if (destinationOf(type, config) !== kept && destinationOf(type, given) !== kept)
      throw literalsStay(nulls);
    const filled = restoreLiterals(config, this.open(stored));
    const unknown = findNulls(filled);
    if (unknown.length > 0) throw missingLiterals(unknown);
    return filled;
  }

  private open({ tenantId, id, literalsSealed }: SealedToolServer): TemplateLiterals {
    if (literalsSealed === null) return {};
    this.box.requireKeyring();
    return JSON.parse(this.box.open(literalsSealed, toolServerPlace(tenantId, id))) as TemplateLiterals;
  }

  private seal(
    { tenantId, serverId }: { readonly tenantId: string; readonly serverId: string },
    literals: TemplateLiterals,
  ): string | null {
    if (Object.keys(literals).length === 0) return null;
    return this.box.seal(JSON.stringify(literals), toolServerPlace(tenantId, serverId));
  }
}

function parseConnection(given: GivenConfig) {
  const read = toolServerConnectionSchema.safeParse(given, { error: explainIssue });
  if (!read.success)
    throw new InvalidRequestError(read.error.issues.flatMap((issue) => toFieldErrors(issue, 'body')));
  return read.data satisfies ToolServerConnection;
}

/** URLs that the server connects to, each with its path in the configuration. */
function addressesOf(connection: ToolServerConnection): (readonly [path: readonly string[], url: string])[] {
  const { type, config } = connection;
  if (type === 'stdio' || type === 'builtin') return [];
  const [field, url] =
    type === 'openapi' ? (['base_url', config.base_url] as const) : (['url', config.url] as const);
  const issuer = config.auth?.issuer;
  return [
    ...(url === undefined ? [] : [[[field], url] as const]),
    ...(issuer === undefined ? [] : [[['auth', 'issuer'], issuer] as const]),
  ];
}
