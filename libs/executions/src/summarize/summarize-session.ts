import {
  leadsToFallback,
  ModelCallError,
  ModelHostUnavailableError,
  readSummary,
  summaryPrompt,
  type ModelAnswer,
  type UsageRecord,
} from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import type { ExecutionMeter } from '../ports/execution-meter.js';
import type { ModelFactory, ResolvedModel, Tokenizer } from '../ports/model-factory.js';
import type { RunLog } from '../ports/run-log.js';
import type { StoredMessage } from '../ports/stored-context.js';
import type { ClaimedSummary, SummaryStore } from '../ports/summary-store.js';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import { toPromptMessage } from '../plan/conversation-prompt.js';
import { measureModelCalls } from '../attempt/measured-journal.js';
import { countMessage } from '../plan/plan-history.js';
import { chooseNextPart, type LeavingPart } from './choose-next-part.js';
import { announced, spentOn } from './usage-of-summary.js';

/** Maximum tries per version; afterwards the next turn of the conversation orders it anew. */
const MAX_SUMMARY_TRIES = 5;
const FIRST_DELAY_MS = 5_000;
/** Tries of the own model before a fallback is asked. */
const OWN_TRIES = 2;
/** Time limit of one call in milliseconds; the lease adds `WRITING_MS` for storing the answer. */
const CALL_MS = 60_000;
const WRITING_MS = 5_000;
/** A summary may take a quarter of the token budget. */
const PART_OF_BUDGET = 4;
const MIN_TOKENS = 100;
const MAX_TOKENS = 2_000;
/** Maximum tokens of an answer; above those of a summary, for reasoning models. */
const REASONING_TOKENS = 4_000;
/** Upper bound of the mean token length, in bytes of UTF-8. */
const BYTES_OF_A_TOKEN = 6;

export interface SummarizeDependencies {
  readonly summaries: SummaryStore;
  readonly models: ModelFactory;
  readonly messageData: AttemptDependencies['messageData'];
  /** Returns the random token of a new claim. */
  readonly newToken: () => string;
  /** Returns a signal that aborts after the given milliseconds. */
  readonly signalAfter: (ms: number) => AbortSignal;
  readonly logger: RunLog;
  readonly meter: ExecutionMeter;
}

/** The next try of the same job: none, or of one of the models. */
type Next = 'none' | 'own' | 'fallback';

type AskedModel = Pick<ResolvedModel, 'model' | 'costOf'> & { readonly tokenizer: Tokenizer };

/** Result of one call. */
type Attempted =
  | { readonly kind: 'made'; readonly content: string; readonly tokens: number; readonly usage: UsageRecord }
  /** `usage` is null if its cost is unknown. */
  | { readonly kind: 'in_vain'; readonly usage: UsageRecord | null; readonly err: unknown };

/**
 * One job: replaces the oldest turns of a conversation above its budget by a summary. The store's rows decide whether
 * work is left, so a job may be delivered twice, and a job of a dead worker is sent again. No turn waits for it: until
 * the new summary is stored, the history is longer.
 */
export class SummarizeSession {
  constructor(private readonly given: SummarizeDependencies) {}

  async execute(sessionId: string): Promise<void> {
    const { summaries, newToken } = this.given;
    let next: Next = 'own';
    while (next !== 'none') {
      const claimed = await summaries.claim(sessionId, newToken(), CALL_MS + WRITING_MS);
      if (claimed === null) return;
      next = await this.makeNext(next === 'fallback' ? withFallback(claimed) : claimed);
    }
  }

  private async makeNext(claimed: ClaimedSummary): Promise<Next> {
    const { summaries } = this.given;
    const { tryNumber } = claimed;
    const asked = this.resolve(claimed);
    await asked?.tokenizer.load();
    const part =
      asked && (await chooseNextPart(summaries, claimed, (message) => this.count(message, asked.tokenizer)));
    if (asked === null || part === null) {
      await summaries.putOff(claimed, null, null);
      return 'none';
    }
    if (!(await summaries.announceCall(claimed, announced(claimed)))) return 'none';
    const attempted = await this.ask(claimed, asked, part);
    const { usage } = attempted;
    this.given.meter.record({ kind: 'model_calls', calls: measureModelCalls([usage ?? announced(claimed)]) });
    if (attempted.kind === 'in_vain') {
      this.warn(attempted.err, claimed);
      if (isLeft(claimed, attempted.err)) {
        await summaries.putOff(claimed, usage, 0);
        return 'fallback';
      }
      const delayMs = tryNumber < MAX_SUMMARY_TRIES ? FIRST_DELAY_MS * 4 ** (tryNumber - 1) : null;
      await summaries.putOff(claimed, usage, delayMs);
      if (delayMs === null) this.given.meter.record({ kind: 'given_up', what: 'summary' });
      return 'none';
    }
    const { content, tokens } = attempted;
    const { throughTurn, isMore } = part;
    const isWritten = await summaries.complete(
      claimed,
      { content, tokens, throughTurn, isMore },
      attempted.usage,
    );
    return isWritten && isMore ? 'own' : 'none';
  }

  /** Resolves the model to ask and the tokenizer of the agent's own model; null when no model can be asked. */
  private resolve(claimed: ClaimedSummary): AskedModel | null {
    const { llm, isUsable, tryNumber, model: name } = claimed;
    if (llm === null || !isUsable || tryNumber > MAX_SUMMARY_TRIES) return null;
    try {
      const { model, costOf } = this.given.models.of({ ...llm, model: name });
      return { model, costOf, tokenizer: this.given.models.of(llm).tokenizer };
    } catch (err) {
      if (!(err instanceof AppError) || err.kind === 'internal') throw err;
      this.warn(err, claimed);
      return null;
    }
  }

  private async ask(
    claimed: ClaimedSummary,
    { model, costOf, tokenizer }: AskedModel,
    { messages }: LeavingPart,
  ): Promise<Attempted> {
    const { budget, previous, tryNumber } = claimed;
    const mostTokens = Math.min(MAX_TOKENS, Math.max(MIN_TOKENS, Math.floor(budget.tokens / PART_OF_BUDGET)));
    const source = {
      previous,
      messages: messages.flatMap((message) => toPromptMessage(message, this.given.messageData)),
      ...{ mostTokens, mostBytes: Math.max(MIN_TOKENS, budget.tokens) * BYTES_OF_A_TOKEN },
    };
    const parameters = { max_output_tokens: mostTokens + REASONING_TOKENS };
    const request = { model: claimed.model, messages: summaryPrompt(source), tools: [], parameters };
    const limits = { remainingMs: CALL_MS, isLastTry: tryNumber >= MAX_SUMMARY_TRIES, isFollowed: false };
    const signal = this.given.signalAfter(CALL_MS);
    try {
      const answer = await model.call(request, () => undefined, signal, limits);
      const usage = spentOn(claimed, answer, costOf);
      const content = usableSummary(answer);
      const tokens = content === null ? Infinity : tokenizer.count(content);
      if (content !== null && tokens <= mostTokens) return { kind: 'made', content, tokens, usage };
      return { kind: 'in_vain', usage, err: new Error('the answer is no summary: empty, cut or too long') };
    } catch (err) {
      if (signal.aborted) return { kind: 'in_vain', usage: null, err };
      if (!(err instanceof ModelCallError) && !(err instanceof ModelHostUnavailableError)) throw err;
      return { kind: 'in_vain', usage: spentOn(claimed, err, costOf), err };
    }
  }

  private count(message: StoredMessage, tokenizer: Tokenizer): number {
    const { tokens } = message;
    if (tokens?.tokenizer === tokenizer.name) return tokens.count;
    return countMessage(message, tokenizer, this.given.messageData).count;
  }

  private warn(err: unknown, { sessionId, executionId, version, tryNumber }: ClaimedSummary): void {
    this.given.logger.warn({ err, sessionId, executionId, version, tryNumber }, 'no summary from the model');
  }
}

/** The next try is due at once, of the first fallback; that is asked until the job ends. */
function withFallback(claimed: ClaimedSummary): ClaimedSummary {
  const [llm] = claimed.fallbacks;
  return llm === undefined ? claimed : { ...claimed, llm, model: llm.model, fallbacks: [] };
}

/** Whether the fallback is asked now: after the own tries, or at once where the host of the model is not asked. */
function isLeft({ fallbacks, tryNumber }: ClaimedSummary, err: unknown): boolean {
  if (fallbacks.length === 0 || tryNumber >= MAX_SUMMARY_TRIES || !leadsToFallback(err)) return false;
  return tryNumber >= OWN_TRIES || err instanceof ModelHostUnavailableError;
}

/** A truncated summary is rejected, because it would cover less than it claims. */
function usableSummary({ text, incompleteReason }: ModelAnswer): string | null {
  return incompleteReason === null ? readSummary(text) : null;
}
