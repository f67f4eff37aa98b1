import { Injectable } from '@nestjs/common';
import { ConnectionStore, type ConnectionView } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { ConnectionListQuery } from './connections.dto.js';
import { connectionNotFound } from './connections.faults.js';

/** Reading the connections of a tenant's users. */
@Injectable()
export class ConnectionsQueries {
  constructor(private readonly connections: ConnectionStore) {}

  /** Newest first. */
  async list(tenantId: string, query: ConnectionListQuery): Promise<Page<ConnectionView>> {
    const { server_id: serverId, user_id: userId, status, cursor: lastId, limit } = query;
    return toPage(await this.connections.list(tenantId, { serverId, userId, status, lastId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: string): Promise<ConnectionView> {
    const connection = await this.connections.find(tenantId, id);
    if (connection === null) throw connectionNotFound();
    return connection;
  }
}
