import type { UsageRecord } from '#libs/agent-core';
import { readMemorySettings } from '#libs/policy';
import type { JsonObject } from '#libs/kernel';
import type { StoredLlm } from '../ports/stored-context.js';
import { isLearntForeign, judgeProposal } from '../memories/judge-proposal.js';
import {
  MemoryExtractionStore,
  type ClaimedExtraction,
  type DueExtraction,
  type ExtractionDispatchOptions,
  type ExtractionFence,
  type UnlearntOutcome,
} from '../memories/memory-extraction-store.js';
import type { MemoryProposal } from '../memories/memory-proposal.js';
import type { InMemoryMemories } from './in-memory-memories.js';

/** An execution that has completed. */
export interface CompletedTurn {
  readonly executionId: string;
  readonly tenantId: string;
  /** Null for nobody's. */
  readonly executorId: string | null;
  readonly agentId: number;
  readonly input: string;
  readonly config: JsonObject;
  readonly llm: StoredLlm;
  readonly acceptedAt: number;
  readonly isForeign: boolean;
}

interface KeptExtraction extends CompletedTurn {
  readonly executorId: string;
  tries: number;
  recordedTry: number;
  token: string | null;
  /** No time passes here: it is due or not, sent or not, leased or not. */
  isDue: boolean;
  isSent: boolean;
  isLeased: boolean;
  outcome: 'learnt' | UnlearntOutcome | null;
}

/** What is still to be learnt, in memory. */
export class InMemoryExtractions extends MemoryExtractionStore {
  readonly usage: (UsageRecord & { readonly executionId: string })[] = [];
  private readonly kept = new Map<string, KeptExtraction>();

  constructor(private readonly memories: InMemoryMemories) {
    super();
  }

  /** As the end of an execution does. */
  order(turn: CompletedTurn): void {
    const { executionId, executorId, config } = turn;
    if (executorId === null || !readMemorySettings(config).enabled) return;
    this.kept.set(executionId, {
      ...{ ...turn, executorId },
      ...{
        tries: 0,
        recordedTry: 0,
        token: null,
        isDue: true,
        isSent: false,
        isLeased: false,
        outcome: null,
      },
    });
  }

  endLease(executionId: string): void {
    const kept = this.kept.get(executionId);
    if (kept) kept.isLeased = false;
  }

  endDelay(executionId: string): void {
    const kept = this.kept.get(executionId);
    if (kept) kept.isDue = true;
  }

  outcomeOf(executionId: string): KeptExtraction['outcome'] {
    return this.kept.get(executionId)?.outcome ?? null;
  }

  override take({ queueTarget, tenantTarget, redispatchAfterMs }: ExtractionDispatchOptions) {
    const isFree = (each: KeptExtraction) => !each.isLeased && (!each.isSent || redispatchAfterMs === 0);
    const open = this.open();
    const busy = open.filter((each) => !isFree(each));
    const ofTenant = (tenantId: string, of: readonly KeptExtraction[]) =>
      of.filter((each) => each.tenantId === tenantId).length;
    const taken: KeptExtraction[] = [];
    for (const each of open.filter((one) => one.isDue && isFree(one) && this.isFirst(one))) {
      const { tenantId } = each;
      if (busy.length + taken.length >= queueTarget) break;
      if (ofTenant(tenantId, busy) + ofTenant(tenantId, taken) >= tenantTarget) continue;
      each.isSent = true;
      taken.push(each);
    }
    return Promise.resolve(taken.map(({ executionId }): DueExtraction => ({ executionId })));
  }

  override requeue(due: readonly DueExtraction[]): Promise<void> {
    for (const { executionId } of due) {
      const kept = this.kept.get(executionId);
      if (kept) kept.isSent = false;
    }
    return Promise.resolve();
  }

  override claim(executionId: string, token: string): Promise<ClaimedExtraction | null> {
    const kept = this.open().find((each) => each.executionId === executionId);
    if (!kept?.isDue || kept.isLeased || !this.isFirst(kept)) return Promise.resolve(null);
    kept.tries += 1;
    Object.assign(kept, { token, isLeased: true, isSent: false });
    const { tenantId, executorId, agentId, input, config, llm, recordedTry, tries, acceptedAt } = kept;
    const { isForeign } = kept;
    const isWanted = !this.memories.isForgottenSince(kept, acceptedAt);
    return Promise.resolve({
      ...{ executionId, token, tenantId, executorId, agentId, input, llm, isWanted, recordedTry, isForeign },
      ...{ tryNumber: tries, facts: this.memories.facts(kept), settings: readMemorySettings(config) },
    });
  }

  override learn(
    claimed: ClaimedExtraction,
    proposal: MemoryProposal,
    usage: readonly UsageRecord[],
  ): Promise<'learnt' | 'lost'> {
    this.record(claimed, usage);
    const kept = this.held(claimed);
    if (kept === null) return Promise.resolve('lost');
    if (this.memories.isForgottenSince(kept, kept.acceptedAt)) {
      this.close(kept, 'skipped');
      return Promise.resolve('lost');
    }
    const isUnwanted = (key: string) => this.memories.isUnwanted(kept, key);
    const facts = this.memories.facts(kept);
    const writes = judgeProposal(facts, isUnwanted, proposal, claimed.settings.max_facts);
    this.memories.apply(kept, kept, writes, isLearntForeign(kept, facts));
    this.close(kept, 'learnt');
    return Promise.resolve('learnt');
  }

  override end(
    claimed: ClaimedExtraction,
    outcome: UnlearntOutcome,
    usage: readonly UsageRecord[],
  ): Promise<void> {
    this.record(claimed, usage);
    const kept = this.held(claimed);
    if (kept) this.close(kept, outcome);
    return Promise.resolve();
  }

  override putOff(claimed: ClaimedExtraction, delayMs: number, usage: readonly UsageRecord[]): Promise<void> {
    this.record(claimed, usage);
    const kept = this.held(claimed);
    if (kept) {
      const { tryNumber: recordedTry } = claimed;
      Object.assign(kept, { recordedTry, token: null, isLeased: false, isSent: false, isDue: delayMs === 0 });
    }
    return Promise.resolve();
  }

  /** In the order in which their executions ended. */
  private open(): KeptExtraction[] {
    return [...this.kept.values()].filter((each) => each.outcome === null);
  }

  private isFirst(kept: KeptExtraction): boolean {
    const { tenantId, executorId } = kept;
    return this.open().find((each) => each.tenantId === tenantId && each.executorId === executorId) === kept;
  }

  private held({ executionId, token }: ExtractionFence): KeptExtraction | null {
    const kept = this.kept.get(executionId);
    return kept?.token === token && kept.outcome === null ? kept : null;
  }

  private close(kept: KeptExtraction, outcome: KeptExtraction['outcome']): void {
    Object.assign(kept, { outcome, token: null, isLeased: false });
  }

  /** A call that has its row already keeps it. */
  private record({ executionId }: ClaimedExtraction, usage: readonly UsageRecord[]): void {
    for (const record of usage) {
      const isThere = this.usage.some(
        (one) => one.executionId === executionId && one.tryNumber === record.tryNumber,
      );
      if (!isThere) this.usage.push({ ...record, executionId });
    }
  }
}
