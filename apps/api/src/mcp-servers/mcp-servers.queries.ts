import { Injectable } from '@nestjs/common';
import { ToolServerStore, type ToolServerView, type Versioned } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { ToolServerListQuery } from './mcp-servers.dto.js';
import { serverNotFound } from './mcp-servers.faults.js';

/** Reading the tool servers of a tenant. */
@Injectable()
export class ToolServersQueries {
  constructor(private readonly servers: ToolServerStore) {}

  /** In the order of their making, without the documents of their configurations. */
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
}
