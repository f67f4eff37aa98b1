import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { DataSource } from 'typeorm';
import { ConnectionStore, type ConnectionView, isAnyWorkerPresent, ToolServerStore } from '#libs/persistence';
import { isJsonObject } from '#libs/kernel';
import { connectServerJob } from '#libs/payloads';
import { JobCaller } from '#libs/queue';
import { connectionPlace, SecretBox } from '#libs/secrets';
import { isAnswerOfIssuer, type PendingConsent } from '#libs/tool-sources';
import { byId, toPage, type Page } from '../http/page.js';
import { noWorker } from '../tools/tools.errors.js';
import type {
  ConnectionListQuery,
  BegunConnection,
  ConnectionAnswerDto,
  NewConnectionDto,
} from './connections.dto.js';
import {
  connectionNotFound,
  connectionFailed,
  noServerToConnect,
  notConnected,
  stateUnknown,
} from './connections.errors.js';

/** A worker needs a few exchanges with the authorization server, of at most 10 s each. */
const LIMITS = { takenWithinMs: 10_000, answeredWithinMs: 45_000 };

type Step = Parameters<typeof connectServerJob>[3];

/** Data kept while the user is at the authorization server. */
interface Asked {
  readonly pending: PendingConsent;
  readonly authorizeUrl: string;
}

/** Lists, starts, completes and revokes connections of users. A worker talks to the authorization server. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly servers: ToolServerStore,
    private readonly dataSource: DataSource,
    private readonly workers: JobCaller,
    private readonly box: SecretBox,
  ) {}

  /** Sorted newest first. */
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

  /** Throws `ENCRYPTION_NOT_CONFIGURED`, `NO_WORKER`, `CONNECTION_FAILED`, `NOT_CONNECTED`. */
  async begin(
    tenantId: string,
    { server_id: serverId, user_id: userId }: NewConnectionDto,
  ): Promise<BegunConnection> {
    const { box } = this;
    box.requireKeyring();
    const server = await this.servers.findSealed(tenantId, serverId);
    const auth = server?.config['auth'];
    if (!isJsonObject(auth) || auth['grant'] !== 'authorization_code') throw noServerToConnect();
    if (!(await isAnyWorkerPresent(this.dataSource))) throw noWorker();
    const attemptId = uuidv4();
    const id = await this.connections.begin(tenantId, { id: uuidv7(), serverId, userId, attemptId });
    if (id === null) throw noServerToConnect();
    await this.call(tenantId, id, attemptId, 'ask');
    const attempt = await this.connections.readAttempt(tenantId, id, attemptId);
    if (attempt === null) throw connectionFailed('a newer try of the same user has begun');
    const { sealed, fault } = attempt;
    if (fault !== null) throw connectionFailed(fault);
    if (sealed === null) throw notConnected();
    const { authorizeUrl } = openAsked(box, tenantId, id, sealed);
    return { ...(await this.find(tenantId, id)), authorize_url: authorizeUrl };
  }

  /**
   * Takes the answer of the authorization server, once. Throws `CONNECTION_STATE_UNKNOWN`, `CONNECTION_FAILED`,
   * `NOT_CONNECTED`.
   */
  async complete(tenantId: string, answer: ConnectionAnswerDto): Promise<ConnectionView> {
    const { box } = this;
    box.requireKeyring();
    const stateSha256 = createHash('sha256').update(answer.state).digest('hex');
    const attempt = await this.connections.takeState(tenantId, stateSha256);
    if (attempt === null || attempt.sealed === null) throw stateUnknown();
    const { id, attemptId } = attempt;
    if (answer.user_id !== undefined && (await this.find(tenantId, id)).user_id !== answer.user_id)
      throw connectionFailed('the answer came with another user than the one who was sent');
    const { pending } = openAsked(box, tenantId, id, attempt.sealed);
    if (!isAnswerOfIssuer(pending.discovery, answer.iss ?? null))
      throw connectionFailed('the answer comes from another authorization server');
    if (answer.code === undefined) throw connectionFailed(explainError(answer.error));
    const sealed = box.seal(JSON.stringify({ pending, code: answer.code }), connectionPlace(tenantId, id));
    if (!(await this.connections.handOver(id, attemptId, sealed))) throw stateUnknown();
    await this.call(tenantId, id, attemptId, 'exchange');
    const left = await this.connections.readAttempt(tenantId, id, attemptId);
    if (left !== null) throw left.fault === null ? notConnected() : connectionFailed(left.fault);
    return this.find(tenantId, id);
  }

  /** Ends use of the connection at once, even if the authorization server fails to revoke its tokens. Throws `NOT_FOUND`. */
  async revoke(tenantId: string, id: string): Promise<ConnectionView> {
    const attemptId = uuidv4();
    const revoked = await this.connections.revoke(tenantId, id, attemptId);
    if (revoked === null) throw connectionNotFound();
    if (await isAnyWorkerPresent(this.dataSource))
      await this.workers.call('connect-server', connectServerJob(tenantId, id, attemptId, 'revoke'), LIMITS);
    return revoked;
  }

  /** Revokes the connection and deletes it. Throws `NOT_FOUND`. */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.revoke(tenantId, id);
    await this.connections.delete(tenantId, id);
  }

  private async call(tenantId: string, id: string, attemptId: string, step: Step): Promise<void> {
    const job = connectServerJob(tenantId, id, attemptId, step);
    const { kind } = await this.workers.call('connect-server', job, LIMITS);
    if (kind === 'not_taken') throw noWorker();
  }
}

function openAsked(box: SecretBox, tenantId: string, id: string, sealed: string): Asked {
  return JSON.parse(box.open(sealed, connectionPlace(tenantId, id))) as Asked;
}

/** Quotes only error codes in the form of RFC 6749 4.1.2.1; any other text comes from a foreign server. */
function explainError(error: string | undefined): string {
  const isCode = error !== undefined && /^[a-z_]{1,40}$/.test(error);
  return isCode ? `the authorization server answered ${error}` : 'the authorization server refused';
}
