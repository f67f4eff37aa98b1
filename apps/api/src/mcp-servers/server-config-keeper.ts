import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { mayBeCalled } from '#libs/guarded-fetch';
import type { JsonObject } from '#libs/kernel';
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
} from './mcp-servers.faults.js';

/** What is stored of a configuration. */
export interface KeptConfig {
  readonly config: JsonObject;
  readonly literalsSealed: string | null;
}

interface GivenConfig {
  readonly type: ToolServerType;
  readonly config: JsonObject;
}

/** Judges configurations of tool servers, and seals what in them may be a secret. */
@Injectable()
export class ServerConfigKeeper {
  constructor(
    private readonly box: SecretBox,
    @Inject(API_CONFIG) private readonly config: Pick<AppConfig, 'stdio' | 'privateToolHosts'>,
    @Inject(DescriptionReader) private readonly descriptions: Pick<DescriptionReader, 'read'>,
  ) {}

  /**
   * A configuration as it is stored. Throws a fault that names the field; `ENCRYPTION_NOT_CONFIGURED` where there is
   * something to seal.
   *
   * @param stored the server that it is for, where that is not new: null in a template keeps what that has
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

  /** What a name leads to is judged when it is connected to. */
  private assertCallable(tenantId: string, connection: ToolServerConnection): void {
    for (const [path, url] of addressesOf(connection))
      if (!mayBeCalled(url, tenantId, this.config.privateToolHosts)) throw refusedAddress(path);
  }

  /** The configuration with its description as JSON, where it has one; what is no description stays, to be refused. */
  private async withJson(
    tenantId: string,
    { type, config }: GivenConfig,
  ): Promise<{ readonly config: JsonObject; readonly problems: readonly string[] }> {
    const read = type === 'openapi' ? openApiDocumentSchema.safeParse(config['document']) : null;
    if (read?.success !== true) return { config, problems: [] };
    const { document, check } = await this.descriptions.read(tenantId, read.data);
    return { config: { ...config, document }, problems: check.problems };
  }

  /** @param config what is given, with its description as it is stored now; some are stored as they were given. */
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

/** What of a configuration is called, each with its place there. */
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
