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
import { measureModelCalls } from '../attempt/measure-ending.js';
import { unknownUsage, usageBesideLoop } from '../attempt/usage-beside-loop.js';
import { extractionPrompt, readableInput } from './extraction-prompt.js';
import type { ClaimedExtraction, MemoryExtractionStore } from './memory-extraction-store.js';
import { PROPOSAL_FORMAT, readProposal, type MemoryProposal } from './memory-proposal.js';

const PURPOSE = 'memory';
/** How long a model may take. */
const TRY_MS = 30_000;
/** How much longer than a try its lease lasts: what came of it has to be written, too. */
const WRITING_MS = 5_000;
/** After each try in vain; after the last of them there is one more. */
const DELAYS_MS = [10_000, 60_000, 300_000] as const;
const MAX_TRIES = DELAYS_MS.length + 1;
/** Tokens of an answer, for models that reason first, too. */
const ANSWER_TOKENS = 4_000;

export interface ExtractMemoriesDependencies {
  readonly extractions: Pick<MemoryExtractionStore, 'claim' | 'learn' | 'end' | 'putOff'>;
  /** Throws where the configuration cannot be used. */
  readonly modelOf: (llm: StoredLlm) => Pick<ResolvedModel, 'model' | 'costOf'>;
  /** Random. */
  readonly newToken: () => string;
  /** Aborts after so many milliseconds. */
  readonly abortAfter: (ms: number) => AbortSignal;
  readonly logger: RunLog;
  readonly meter: ExecutionMeter;
}

/** What came of one try; null where there is no proposal in it. */
interface Try {
  readonly proposal: MemoryProposal | null;
  readonly usage: readonly UsageRecord[];
}

/**
 * One job: ask a model what is to be remembered of what a user has said, and remember it. The row in the database says
 * whether anything is left to do, so a job may come twice, and one whose worker died is sent again.
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

  /** A configuration that cannot be used, and a host that is not there, have cost nothing. */
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
    const limits = { remainingMs: TRY_MS, isLastTry: tryNumber >= MAX_TRIES };
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
    this.given.logger.warn({ err, executionId, tryNumber }, 'nothing learnt of the answer of the model');
  }
}

/** Tries whose workers were lost: nobody can say what they have cost. */
function lostTries({ tryNumber, recordedTry, llm }: ClaimedExtraction): readonly UsageRecord[] {
  if (llm === null) return [];
  const lost = Array.from(
    { length: tryNumber - 1 - recordedTry },
    (_unused, index) => recordedTry + 1 + index,
  );
  return lost.map((number) => unknownUsage({ purpose: PURPOSE, tryNumber: number, model: llm.model }));
}
