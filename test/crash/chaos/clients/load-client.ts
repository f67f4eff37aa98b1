import { setTimeout as delay } from 'node:timers/promises';
import type {
  CancelRecord,
  FollowerRecord,
  ObservedEnding,
  PlannedTurn,
  SubmissionRecord,
} from '../ledgers/chaos-world.js';
import { POISON_TOOLS } from '../../programs/poison-tools.js';
import {
  planConversation,
  planExposedTurn,
  planPoison,
  planSlowTurn,
  type TurnPlan,
} from '../plan/conversation-plan.js';
import { scopeKey } from '../ledgers/call-key.js';
import type { Control } from '../plan/control-plan.js';
import type { SeededRandom } from '../plan/seeded-random.js';
import { SETTLED } from '../checks/violation.js';
import type { ApiCaller } from './api-caller.js';
import { followEvents } from './event-follower.js';
import type { ModelLedger } from './model-ledger.js';

export interface Tenant {
  readonly tenantId: string;
  readonly apiKey: string;
  readonly agentId: number;
}

const RETRY_MS = 150;
const MAX_RETRY_MS = 2_000;
const READ_EVERY_MS = 700;
/** One tenant submits so many executions at once, more than there are slots, every `FLOOD_EVERY_MS`. */
const FLOOD_SIZE = 60;
const FLOOD_EVERY_MS = 60_000;
const FIRST_FLOOD_MS = 8_000;

interface Answer {
  readonly id: string;
  readonly sessionId: string;
}

/**
 * Keeps a number of conversations going: each sends its turns without waiting for their answers, waits until all have ended,
 * and begins anew. A request without a 2xx answer is sent again under the same idempotency key.
 */
export class LoadClient {
  readonly submissions: SubmissionRecord[] = [];
  readonly plan: PlannedTurn[] = [];
  readonly cancels: CancelRecord[] = [];
  readonly endings: ObservedEnding[] = [];
  readonly foreignReads: number[] = [];
  private readonly following: Promise<FollowerRecord>[] = [];
  private readonly stopping = new AbortController();
  private readonly leaving = new AbortController();
  private conversations: Promise<void>[] = [];

  constructor(
    private readonly caller: ApiCaller,
    private readonly tenants: readonly [Tenant, ...Tenant[]],
    private readonly random: SeededRandom,
    private readonly models: ModelLedger,
    private readonly control: Control | null,
  ) {}

  start(width: number, runName: string): void {
    this.conversations = Array.from({ length: width }, (_, lane) =>
      this.keepTalking(this.random.fork(`lane ${lane}`), `${runName}-${lane}`),
    );
    if (this.control === null)
      this.conversations.push(this.keepFlooding(this.random.fork('floods'), runName));
  }

  /** Sends one turn in a conversation of its own and waits until the turn ends. */
  async sendAlone(tenant: Tenant, turn: TurnPlan): Promise<void> {
    const answer = await this.submit(tenant, turn, null);
    if (answer !== null) await this.readUntilEnded(tenant, answer.id);
    await this.collect(turn);
  }

  private async collect({ key, scopes }: TurnPlan): Promise<void> {
    for (const scope of ['', ...scopes])
      await this.models.collect(scopeKey(key, scope)).catch(() => undefined);
  }

  /** Sends no new turns; those already sent are still followed. */
  stopSending(): void {
    this.stopping.abort();
  }

  /** Resolves when every conversation and follower has ended, or after `limitMs`. */
  async finished(limitMs: number): Promise<void> {
    await Promise.race([Promise.all([...this.conversations, ...this.following]), delay(limitMs)]);
  }

  /** Stops the conversations and followers that are still running, and returns what the followers recorded. */
  async leave(): Promise<readonly FollowerRecord[]> {
    this.leaving.abort();
    await Promise.all(this.conversations);
    return Promise.all(this.following);
  }

  private async keepTalking(random: SeededRandom, lane: string): Promise<void> {
    for (let number = 1; !this.stopping.signal.aborted; number += 1) {
      await this.converse(random, `${lane}.${number}`);
    }
  }

  private async keepFlooding(random: SeededRandom, runName: string): Promise<void> {
    const [tenant] = this.tenants;
    const { signal } = this.stopping;
    for (let number = 1; ; number += 1) {
      await delay(number === 1 ? FIRST_FLOOD_MS : FLOOD_EVERY_MS, undefined, { signal }).catch(
        () => undefined,
      );
      if (signal.aborted) return;
      const keys = Array.from(
        { length: FLOOD_SIZE },
        (_, index) => `${runName}-flood-${number}.${index + 1}`,
      );
      const turns = keys.map((key) => planSlowTurn(random, key));
      await Promise.all(turns.map((turn) => this.sendAlone(tenant, turn)));
    }
  }

  private async converse(random: SeededRandom, name: string): Promise<void> {
    const tenant = random.pick(this.tenants);
    const sent: { turn: TurnPlan; id: string }[] = [];
    let sessionId: string | null = null;
    for (const turn of this.planOf(random, name)) {
      await delay(turn.pauseMs);
      if (this.stopping.signal.aborted) break;
      const answer: Answer | null = await this.submit(tenant, turn, sessionId);
      if (answer === null) break;
      sessionId = answer.sessionId;
      sent.push({ turn, id: answer.id });
      if (turn.isFollowed) this.follow(tenant, answer.id);
      if (turn.cancelAfterMs !== null) void this.cancel(tenant, answer.id, turn.cancelAfterMs);
    }
    for (const { id } of sent.toReversed()) await this.readUntilEnded(tenant, id);
    if (sent[0]) await this.readForeign(tenant, sent[0].id);
    for (const { turn } of sent) await this.collect(turn);
  }

  /** Each run has every poison tool, in the first conversations of its first lanes. */
  private planOf(random: SeededRandom, name: string): readonly TurnPlan[] {
    if (this.control !== null) return [planExposedTurn(random, `${name}.1`)];
    const turns = planConversation(random, name);
    const firstOfLane = /-(\d+)\.1$/.exec(name)?.[1];
    const poison = firstOfLane === undefined ? undefined : POISON_TOOLS[Number(firstOfLane)];
    return poison === undefined ? turns : [...turns, planPoison(`${name}.poison`, poison)];
  }

  /** Repeats the request until a 2xx answer names the execution; null if the run ends first. */
  private async submit(tenant: Tenant, turn: TurnPlan, sessionId: string | null): Promise<Answer | null> {
    const acceptedAs: string[] = [];
    const index = this.submissions.length;
    const firstTriedAt = Date.now();
    const record = {
      key: turn.key,
      tenantId: tenant.tenantId,
      acceptedAs,
      firstTriedAt,
      acceptedAt: null,
      tries: 0,
    };
    this.submissions.push(record);
    const { key, fate, isCancelled, calls, modelFailures } = turn;
    this.plan.push({ key, fate, isCancelled, calls, modelFailures });
    for (let tries = 1; !this.leaving.signal.aborted; tries += 1) {
      const waitSeconds = tries === 1 ? turn.waitSeconds : null;
      const answer = await this.caller.call(tenant.apiKey, 'POST', `/api/agents/${tenant.agentId}/execute/`, {
        body: {
          input: turn.input,
          metadata: { chaos_key: turn.key },
          ...(sessionId !== null && { session_uuid: sessionId }),
        },
        headers: {
          'idempotency-key': turn.key,
          ...(waitSeconds !== null && { prefer: `wait=${waitSeconds}` }),
        },
        waitMs: (waitSeconds ?? 0) * 1_000,
      });
      const accepted = answer === null ? null : readAcceptance(answer);
      const acceptedAt = accepted === null ? null : Date.now();
      if (accepted) acceptedAs.push(accepted.id);
      this.submissions[index] = { ...record, tries, acceptedAt };
      if (accepted) return accepted;
      await delay(Math.min(RETRY_MS * 1.3 ** (tries - 1), MAX_RETRY_MS));
    }
    return null;
  }

  private follow({ apiKey }: Tenant, id: string): void {
    const onEnding = (ending: ObservedEnding) => this.endings.push(ending);
    this.following.push(followEvents(this.caller, apiKey, id, this.leaving.signal, onEnding));
  }

  private async cancel({ apiKey }: Tenant, executionId: string, afterMs: number): Promise<void> {
    await delay(afterMs);
    while (!this.leaving.signal.aborted) {
      const answer = await this.caller.call(apiKey, 'POST', `/api/executions/${executionId}/cancel/`);
      if (answer?.status === 200) {
        this.cancels.push({ executionId, acknowledgedAt: Date.now() });
        return;
      }
      await delay(RETRY_MS);
    }
  }

  private async readUntilEnded({ apiKey }: Tenant, executionId: string): Promise<void> {
    for (;;) {
      const answer = await this.caller.call(apiKey, 'GET', `/api/executions/${executionId}/`);
      const status = (answer?.body as { status?: string } | null)?.status;
      if (answer?.status === 200 && status !== undefined && SETTLED.has(status)) {
        this.endings.push({ executionId, status, source: 'read' });
        return;
      }
      if (this.leaving.signal.aborted) return;
      await delay(READ_EVERY_MS);
    }
  }

  /** Another tenant reads the execution too, which has to be refused. */
  private async readForeign(owner: Tenant, executionId: string): Promise<void> {
    const stranger = this.tenants.find((tenant) => tenant.tenantId !== owner.tenantId);
    if (!stranger) return;
    const answer = await this.caller.call(stranger.apiKey, 'GET', `/api/executions/${executionId}/`);
    if (answer) this.foreignReads.push(answer.status);
  }
}

/** A 202 answers the execution; a 200, under `Prefer: wait`, its result. */
function readAcceptance({ status, body }: { status: number; body: unknown }): Answer | null {
  const view = body as { id?: string; execution_id?: string; session_uuid?: string } | null;
  const id = status === 202 ? view?.id : status === 200 ? view?.execution_id : undefined;
  return id === undefined || view?.session_uuid === undefined ? null : { id, sessionId: view.session_uuid };
}
