import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { JsonObject } from '#libs/kernel';
import {
  toolServerProbeSchema,
  toolTrialSchema,
  tryToolJob,
  type ToolServerProbe,
  type ToolTrialAnswer,
} from '#libs/payloads';
import { isAnyWorkerPresent, ToolServerStore, ToolTrialStore } from '#libs/persistence';
import { JobCaller } from '#libs/queue';
import { SecretBox, toolTrialPlace } from '#libs/secrets';
import { serverToolPrefix } from '#libs/tooling';
import { DataSource } from 'typeorm';
import type { Principal } from '../http/access.js';
import { noWorker, notTried, toolNotFound } from './tools.errors.js';
import { serverNotFound } from '../mcp-servers/mcp-servers.errors.js';

/** A worker connects within 12 s, and a tool call takes up to 300 s. */
const LIMITS = { takenWithinMs: 10_000, answeredWithinMs: 320_000 };

type Caller = Pick<Principal, 'tenantId' | 'keyId'>;

/** Tokens and user of a trial. */
interface Brought {
  readonly tokens: Readonly<Record<string, string>>;
  /** The call uses the connection of this user. */
  readonly user_id?: string | undefined;
}

/** Has a worker probe a server or call a tool, since only workers have access to servers. Each trial is recorded. */
@Injectable()
export class TryTools {
  constructor(
    private readonly servers: ToolServerStore,
    private readonly trials: ToolTrialStore,
    private readonly dataSource: DataSource,
    private readonly workers: JobCaller,
    private readonly box: SecretBox,
  ) {}

  /** Throws `NOT_FOUND`, `NO_WORKER`, `NOT_TRIED`. */
  async probe(caller: Caller, serverId: string, brought: Brought): Promise<ToolServerProbe> {
    const { tenantId } = caller;
    if ((await this.servers.find(tenantId, serverId)) === null) throw serverNotFound();
    return toolServerProbeSchema.parse(
      await this.ask(caller, { serverId, toolName: null, input: null }, brought),
    );
  }

  /** Calls a tool, if its server is active. Throws as `probe` does. */
  async call(
    caller: Caller,
    toolName: string,
    input: JsonObject,
    brought: Brought,
  ): Promise<ToolTrialAnswer> {
    const servers = await this.servers.listActive(caller.tenantId);
    const server = servers.find(({ name }) => toolName.startsWith(serverToolPrefix(name)));
    if (server === undefined) throw toolNotFound();
    return toolTrialSchema.parse(await this.ask(caller, { serverId: server.id, toolName, input }, brought));
  }

  private async ask(
    { tenantId, keyId }: Caller,
    what: { readonly serverId: string; readonly toolName: string | null; readonly input: JsonObject | null },
    { tokens, user_id: userId }: Brought,
  ): Promise<JsonObject> {
    const id = uuidv7();
    const tokensSealed = this.seal(tenantId, id, tokens);
    // Without any worker the client gets the error at once, not after the time that a busy worker may take.
    if (!(await isAnyWorkerPresent(this.dataSource))) throw noWorker();
    const { trials } = this;
    await trials.begin({ ...what, id, tenantId, tokensSealed, userId: userId ?? null, askedBy: keyId });
    const answer = await this.workers.call('try-tool', tryToolJob(tenantId, id), LIMITS);
    if (answer.kind === 'not_taken' && (await trials.abandon(tenantId, id))) throw noWorker();
    const found = await trials.readAnswer(tenantId, id);
    if (found === null) throw notTried();
    return found;
  }

  private seal(tenantId: string, trialId: string, tokens: Brought['tokens']): string | null {
    if (Object.keys(tokens).length === 0) return null;
    return this.box.seal(JSON.stringify(tokens), toolTrialPlace(tenantId, trialId));
  }
}
