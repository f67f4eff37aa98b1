import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import type { ExecutionView } from '#libs/payloads';
import type { ApiClient } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { WebhookReceiver } from '../../support/services/webhook-receiver.js';
import type { Failpoint } from '../programs/failpoints.js';
import { EffectServer } from './effect-server.js';
import { FailpointBoard } from './failpoint-board.js';
import { registerReceiver, startApi, startWorker, type RunningApi } from './lane-services.js';
import { offerAgents } from './offer-agents.js';
import { offerPipeline } from './offer-pipeline.js';
import { offerReviewer } from './offer-reviewer.js';
import { offerToolServers, TOOL_SERVER_SETTINGS, type Transport } from './offer-tool-servers.js';
import { offerWatchedTools } from './offer-watched-tools.js';
import { openWhole } from '../../support/services/open-whole.js';
import { LaneFollowers } from './lane-followers.js';
import { ToolServers } from './tool-servers.js';

/** Short intervals for every takeover; the lease is longer than the delays of a worker on a busy machine. */
const QUICK = {
  LOG_LEVEL: 'error',
  LEASE_SECONDS: '5',
  DISPATCH_INTERVAL_MS: '100',
  DISPATCH_AGAIN_SECONDS: '1',
  SHUTDOWN_GRACE_SECONDS: '10',
};
const MAX_FAILURES = 3;

/**
 * One API and one worker with failpoints, on a database and a queue of their own, with tools, model and webhook receiver. A
 * process that is about to die gets its successor first.
 */
export class CrashLane {
  private readonly followers = new LaneFollowers();
  private offeredServers: Promise<Readonly<Record<Transport, number>>> | undefined;

  private constructor(
    readonly deployment: Deployment,
    readonly database: Pool,
    readonly effects: EffectServer,
    readonly toolServers: ToolServers,
    readonly board: FailpointBoard,
    readonly receiver: WebhookReceiver,
    readonly webhookSecret: string,
    /** The agent that calls other agents. */
    readonly callerId: number,
    /** The agent with a step of every kind. */
    readonly pipelineId: number,
    /** The order entry workflow with a watched reviewer. */
    readonly workflowId: number,
    private runningApi: RunningApi,
    private runningWorker: ServiceProcess,
  ) {}

  static open(backend: QueueBackend, settings: Readonly<Record<string, string>> = {}): Promise<CrashLane> {
    return openWhole(async (begun) => {
      const effects = begun(await EffectServer.listen());
      const toolServers = begun(await ToolServers.listen());
      const board = begun(await FailpointBoard.listen());
      const receiver = begun(await WebhookReceiver.listen());
      effects.beforeAnswer = ({ executionId, pid, callKey }) =>
        board.visit({
          point: 'tool.during_call',
          executionId,
          pid,
          about: [callKey.slice(executionId.length + 1)],
        });
      const urls = { EFFECT_SERVER_URL: effects.url, FAILPOINT_BOARD_URL: board.url };
      const own = { ...QUICK, ...TOOL_SERVER_SETTINGS, ...urls, ...settings };
      const deployment = begun(await Deployment.open(backend, own));
      const database = new Pool({ connectionString: deployment.databaseUrl, max: 3 });
      begun({ close: () => database.end() });
      const [offered, api, worker] = await Promise.all([
        offerAll(deployment.databaseUrl),
        startApi(deployment),
        startWorker(deployment),
      ]);
      const { callerId, pipelineId } = offered;
      const [secret, workflowId] = await Promise.all([
        registerReceiver(api.client, receiver),
        offerReviewer(api.client, deployment.databaseUrl, deployment.simulatorUrl),
      ]);
      const lane = new CrashLane(
        deployment,
        database,
        effects,
        toolServers,
        board,
        receiver,
        secret,
        callerId,
        pipelineId,
        workflowId,
        api,
        worker,
      );
      toolServers.hold = (point, caseKey) => lane.hold(point, caseKey);
      board.admit = (arrival) => lane.followers.admit(arrival);
      return lane;
    });
  }

  /** Agents for the tools of tool servers, by transport; the servers start with the first call. */
  serverAgents(): Promise<Readonly<Record<Transport, number>>> {
    this.offeredServers ??= offerToolServers(this.api, this.database, this.toolServers);
    return this.offeredServers;
  }

  get api(): ApiClient {
    return this.runningApi.client;
  }

  get apiProcess(): ServiceProcess {
    return this.runningApi.process;
  }

  get worker(): ServiceProcess {
    return this.runningWorker;
  }

  /**
   * Submits under an idempotency key, and repeats the request if no answer came. The execution is followed from its first
   * event; where it is not, a worker that dies loses the events of its attempt.
   */
  async submit(body: object, agentId = 1, isFollowed = true): Promise<ExecutionView> {
    const accepted = this.accept(body, agentId);
    if (isFollowed) await this.followers.follow(accepted.then(({ url, view: { id } }) => ({ url, id })));
    return (await accepted).view;
  }

  private async accept(body: object, agentId: number): Promise<{ url: string; view: ExecutionView }> {
    const key = randomUUID();
    for (let failures = 0; ; failures += 1) {
      const asked = this.runningApi;
      try {
        const response = await fetch(`${asked.client.url}/api/agents/${agentId}/execute/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify(body),
          signal: asked.abandoned.signal,
        });
        if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
        return { url: asked.client.url, view: (await response.json()) as ExecutionView };
      } catch (error) {
        if (asked === this.runningApi && failures === MAX_FAILURES) throw error;
      }
    }
  }

  /** Starts a successor for each of these processes; the caller has to end the replaced ones. */
  async replace(pids: ReadonlySet<number>): Promise<Replaced[]> {
    const { runningApi, runningWorker } = this;
    const replaced: Replaced[] = [];
    if (pids.has(runningApi.process.pid)) {
      const giveUp = (): void => {
        runningApi.abandoned.abort();
      };
      replaced.push({ kind: 'api', process: runningApi.process, giveUp });
    }
    if (pids.has(runningWorker.pid))
      replaced.push({ kind: 'worker', process: runningWorker, giveUp: () => undefined });
    const is = (kind: Replaced['kind']): boolean => replaced.some((one) => one.kind === kind);
    [this.runningApi, this.runningWorker] = await Promise.all([
      is('api') ? startApi(this.deployment) : runningApi,
      is('worker') ? startWorker(this.deployment) : runningWorker,
    ]);
    if (replaced.length !== pids.size) throw new Error(`unknown processes: ${[...pids].join(', ')}`);
    return replaced;
  }

  /**
   * Freezes the processes before it replaces them, for processes that are to die or be overtaken. A worker held right after
   * its claim does not renew the lease yet, and would claim the execution again while its successor starts.
   */
  freezeAndReplace(pids: ReadonlySet<number>): Promise<Replaced[]> {
    for (const process of [this.runningApi.process, this.runningWorker]) {
      if (pids.has(process.pid)) process.freeze();
    }
    return this.replace(pids);
  }

  async close(): Promise<void> {
    await this.board.close();
    await this.database.end();
    await this.deployment.close();
    await Promise.all([this.effects.close(), this.toolServers.close(), this.receiver.close()]);
  }

  /**
   * Reports a tool server's point as the worker's, because a tool server knows its caller by a token alone. Until the first
   * replacement, only one worker can be the caller.
   */
  private async hold(point: Failpoint, caseKey: string): Promise<void> {
    const { pid } = this.worker;
    const { rows } = await this.database.query<{ id: string }>(
      `SELECT id FROM execution WHERE metadata ->> 'case' = $1 AND turn_number = 1`,
      [caseKey],
    );
    await this.board.visit({ point, executionId: rows[0]?.id ?? caseKey, pid, about: [] });
  }
}

export interface Replaced {
  readonly kind: 'api' | 'worker';
  readonly process: ServiceProcess;
  /** Makes clients stop waiting for its answers. */
  readonly giveUp: () => void;
}

/** Writes the agents that must exist before a service starts, and returns their ids. */
async function offerAll(databaseUrl: string): Promise<{ callerId: number; pipelineId: number }> {
  await offerWatchedTools(databaseUrl);
  return { callerId: await offerAgents(databaseUrl), pipelineId: await offerPipeline(databaseUrl) };
}
