import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import {
  ToolServerStore,
  type ToolServerView,
  type Versioned,
  type ExpectedVersions,
  type ToolServerFields,
} from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import { byId, toPage, type Page } from '../http/page.js';
import { otherVersion } from '../http/entity-tag.js';
import type { ToolServerListQuery, ToolServerFieldsDto, ToolServerPatchDto } from './mcp-servers.dto.js';
import { serverNotFound, missingConfig, serverNameTaken, tooManyServers } from './mcp-servers.errors.js';
import { ServerConfigKeeper } from './server-config-keeper.js';

/** Maximum attempts while concurrent changes of the server keep outdating the validated version. */
const MAX_TRIES = 20;

/** Lists, creates, changes and deletes the tool servers of a tenant. */
@Injectable()
export class ToolServersService {
  constructor(
    private readonly servers: ToolServerStore,
    private readonly keeper: ServerConfigKeeper,
  ) {}

  /** Sorted by creation time, without the documents of their configurations. */
  async list(tenantId: string, query: ToolServerListQuery): Promise<Page<ToolServerView>> {
    const { status, type, from, to, sort, cursor: lastId, limit } = query;
    const filter = { status, type, from, to, isOldestFirst: sort === 'created_at', lastId, limit };
    return toPage(await this.servers.list(tenantId, filter), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: string): Promise<Versioned<ToolServerView>> {
    const server = await this.servers.find(tenantId, id);
    if (server === null) throw serverNotFound();
    return server;
  }

  /** Creates a tool server without connecting to it; a probe does that. */
  async create(tenantId: string, fields: ToolServerFieldsDto): Promise<Versioned<ToolServerView>> {
    const id = uuidv7();
    const { name, type, status, tools, limits } = fields;
    const kept = await this.keeper.keep({ tenantId, serverId: id }, fields, null);
    const creation = await this.servers.create(tenantId, id, { name, type, status, tools, limits, ...kept });
    switch (creation.kind) {
      case 'created':
        return creation;
      case 'name_taken':
        throw serverNameTaken();
      case 'too_many':
        throw tooManyServers();
      default:
        return assertNever(creation);
    }
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`, `TOOL_SERVER_NAME_TAKEN`. */
  async change(
    tenantId: string,
    id: string,
    patch: ToolServerPatchDto,
    expected: ExpectedVersions,
  ): Promise<Versioned<ToolServerView>> {
    const given = Object.fromEntries(
      Object.entries(patch).filter(([, value]) => value !== undefined),
    ) as Partial<ToolServerFields>;
    const change =
      given.config === undefined && given.type === undefined
        ? await this.servers.update(tenantId, id, given, expected)
        : await this.changeConnection(tenantId, id, given, expected);
    switch (change.kind) {
      case 'changed':
        return change;
      case 'not_found':
        throw serverNotFound();
      case 'other_version':
        throw otherVersion();
      case 'name_taken':
        throw serverNameTaken();
      default:
        return assertNever(change);
    }
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async delete(tenantId: string, id: string, expected: ExpectedVersions): Promise<void> {
    const deletion = await this.servers.delete(tenantId, id, expected);
    if (deletion === 'not_found') throw serverNotFound();
    if (deletion === 'other_version') throw otherVersion();
  }

  /**
   * Stored texts may stay only for the destination that they were given for, so the update applies to exactly the validated
   * version.
   */
  private async changeConnection(
    tenantId: string,
    id: string,
    given: Partial<ToolServerFields>,
    expected: ExpectedVersions,
  ): ReturnType<ToolServerStore['update']> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const before = await this.servers.findSealed(tenantId, id);
      if (before === null) return { kind: 'not_found' };
      if (expected !== null && !expected.includes(before.version)) break;
      const { type = before.type, config } = given;
      if (config === undefined && type !== before.type) throw missingConfig();
      const kept =
        config === undefined
          ? {}
          : await this.keeper.keep({ tenantId, serverId: id }, { type, config }, before);
      const change = await this.servers.update(tenantId, id, { ...given, ...kept }, [before.version]);
      if (change.kind !== 'other_version') return change;
    }
    return { kind: 'other_version' };
  }
}
