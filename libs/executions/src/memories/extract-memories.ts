import {
  ModelCallError,
  ModelHostUnavailableError,
  stripThinkBlocks,
  type UsageRecord,
} from '#libs/agent-core';
import type { ExecutionMeter } from '../ports/execution-meter.js';
import type { ResolvedModel } from '../ports/model-factory.js';
import type { RunLog } from '../ports/run-log.js';
import type { StoredLlm } from '../ports/stored-context.js';
import { measureModelCalls } from '../attempt/measured-journal.js';
import { unknownUsage, usageBesideLoop } from '../attempt/usage-beside-loop.js';
import { extractionPrompt, readableInput } from './extraction-prompt.js';
import type { ClaimedExtraction, MemoryExtractionStore } from './memory-extraction-store.js';
import { PROPOSAL_FORMAT, readProposal, type MemoryProposal } from './memory-proposal.js';

const PURPOSE = 'memory';
/** Time limit of one model call, in milliseconds. */
const TRY_MS = 30_000;
/** Extra lease time after a try for writing its result, in milliseconds. */
const WRITING_MS = 5_000;
/** Delays after failed tries, in milliseconds; one more try follows the last delay. */
const DELAYS_MS = [10_000, 60_000, 300_000] as const;
const MAX_TRIES = DELAYS_MS.length + 1;
/** Maximum tokens of an answer, including reasoning. */
const ANSWER_TOKENS = 4_000;

export interface ExtractMemoriesDependencies {
  readonly extractions: Pick<MemoryExtractionStore, 'claim' | 'learn' | 'end' | 'putOff'>;
  /** Throws when the configuration cannot be used. */
  readonly modelOf: (llm: StoredLlm) => Pick<ResolvedModel, 'model' | 'costOf'>;
  /** Returns a random token. */
  readonly newToken: () => string;
  /** Returns a signal that aborts after the given milliseconds. */
  readonly abortAfter: (ms: number) => AbortSignal;
  readonly logger: RunLog;
  readonly meter: ExecutionMeter;
}

/** Result of one try; `proposal` is null when the answer contains none. */
interface Try {
  readonly proposal: MemoryProposal | null;
  readonly usage: readonly UsageRecord[];
}

/**
 * One job: asks a model which facts about a user to remember, and stores them. The database row decides whether work is
 * left, so a job may be delivered twice, and a job of a dead worker is sent again.
 */
export class ExtractMemories {
  constructor(private readonly given: ExtractMemoriesDependencies) {}

  async execute(executionId: string): Promise<void> {
    const { extractions, newToken } = this.given;
    const claimed = await extractions.claim(executionId, newToken(), TRY_MS + WRITING_MS);
    if (claimed === null) return;
    const { llm, settings, isWanted, tryNumber } = claimed;
    const lost = lostTries(claimed);
    if (!isWanted || !settings.enabled || llm?.isActive !== true)
      return this.record(lost, () => extractions.end(claimed, 'skipped', lost));
    if (tryNumber > MAX_TRIES) return this.record(lost, () => this.giveUp(claimed, lost));
    const { proposal, usage: own } = await this.attempt(claimed, llm);
    const usage = [...lost, ...own];
    await this.record(usage, async () => {
      const delayMs = DELAYS_MS[tryNumber - 1];
      if (proposal !== null) await extractions.learn(claimed, proposal, usage);
      else if (delayMs === undefined) await this.giveUp(claimed, usage);
      else await extractions.putOff(claimed, delayMs, usage);
    });
  }

  private async giveUp(claimed: ClaimedExtraction, usage: readonly UsageRecord[]): Promise<void> {
    await this.given.extractions.end(claimed, 'given_up', usage);
    this.given.meter.record({ kind: 'given_up', what: 'memory' });
  }

  /** An unusable configuration or an unreachable host costs nothing. */
  private async attempt(claimed: ClaimedExtraction, llm: StoredLlm): Promise<Try> {
    try {
      return await this.ask(claimed, llm, this.given.modelOf(llm));
    } catch (err) {
      this.warn(claimed, err);
      return { proposal: null, usage: [] };
    }
  }

  private async ask(
    claimed: ClaimedExtraction,
    llm: StoredLlm,
    { model, costOf }: Pick<ResolvedModel, 'model' | 'costOf'>,
  ): Promise<Try> {
    const { facts, tryNumber } = claimed;
    const input = readableInput(claimed.input);
    const call = { purpose: PURPOSE, tryNumber, model: llm.model };
    const request = {
      model: llm.model,
      messages: extractionPrompt(input, facts),
      tools: [],
      parameters: {
        max_output_tokens: ANSWER_TOKENS,
        response_format: 'json_schema',
        json_schema: PROPOSAL_FORMAT,
      },
    };
    const signal = this.given.abortAfter(TRY_MS);
    const limits = { remainingMs: TRY_MS, isLastTry: tryNumber >= MAX_TRIES, isFollowed: false };
    try {
      const answer = await model.call(request, () => undefined, signal, limits);
      const proposal = readProposal(stripThinkBlocks(answer.text), input, facts);
      if (proposal === null) this.warn(claimed, null);
      return { proposal, usage: [usageBesideLoop(call, answer, costOf)] };
    } catch (err) {
      if (err instanceof ModelHostUnavailableError || !(signal.aborted || err instanceof ModelCallError))
        throw err;
      this.warn(claimed, err);
      return {
        proposal: null,
        usage: [usageBesideLoop(call, err instanceof ModelCallError ? err : 'given_up', costOf)],
      };
    }
  }

  private async record(usage: readonly UsageRecord[], write: () => Promise<unknown>): Promise<void> {
    await write();
    if (usage.length > 0) this.given.meter.record({ kind: 'model_calls', calls: measureModelCalls(usage) });
  }

  private warn({ executionId, tryNumber }: ClaimedExtraction, err: unknown): void {
    this.given.logger.warn(
      { err, executionId, tryNumber },
      'no memory extracted from the answer of the model',
    );
  }
}

/** Usage of tries with lost workers; the cost is unknown. */
function lostTries({ tryNumber, recordedTry, llm }: ClaimedExtraction): readonly UsageRecord[] {
  if (llm === null) return [];
  const lost = Array.from(
    { length: tryNumber - 1 - recordedTry },
    (_unused, index) => recordedTry + 1 + index,
  );
  return lost.map((number) => unknownUsage({ purpose: PURPOSE, tryNumber: number, model: llm.model }));
}
