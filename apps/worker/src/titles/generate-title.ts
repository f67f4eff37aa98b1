import {
  leadsToFallback,
  ModelCallError,
  ModelHostUnavailableError,
  readTitle,
  titleFromInput,
  titlePrompt,
  type UsageRecord,
} from '#libs/agent-core';
import {
  measureModelCalls,
  unknownUsage,
  usageBesideLoop,
  type CallBesideLoop,
  type EventStream,
  type ExecutionMeter,
  type ResolvedModel,
  type StoredLlm,
} from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import type { ClaimedTitle, HeldTry, SessionTitleStore } from '#libs/persistence';

/** Maximum tries of one model and time of a title, by the decision on S4-41; then the session is named after its input. */
const TRIES_OF_A_MODEL = 2;
const TRY_MS = 10_000;
const ALL_TRIES_MS = 20_000;
/** Extra lease time after a try for storing the answer, in milliseconds. */
const WRITING_MS = 2_000;

/** Model for titles, with its parameters. */
export interface TitleModel {
  readonly resolved: Pick<ResolvedModel, 'model' | 'costOf'>;
  readonly parameters: JsonObject;
}

export interface GenerateTitleDependencies {
  readonly titles: Pick<SessionTitleStore, 'claim' | 'finish'>;
  readonly resolve: (llm: StoredLlm) => TitleModel;
  /** False if titles are taken from the input, unless the tenant names a model for them. */
  readonly asksModels: boolean;
  readonly events: Pick<EventStream, 'lastId' | 'readAfter' | 'append'>;
  readonly logger: Logger;
  readonly meter: ExecutionMeter;
}

/** Null where no fallback would do better. */
type Away = 'passing' | 'gone' | null;

/** Result of one try; `title` is null if another try may succeed. */
interface Try {
  readonly title: string | null;
  readonly usage: readonly UsageRecord[];
  /** Whether a fallback may succeed where this model has failed: after its last try, or at once. */
  readonly away?: Away;
}

/**
 * One job: generates a session's title, stores it and emits it. The database row decides whether work is left, so a job
 * may be delivered twice, and a job of a dead worker is sent again.
 */
export class GenerateTitle {
  constructor(private readonly given: GenerateTitleDependencies) {}

  async execute(executionId: string): Promise<void> {
    const { titles } = this.given;
    const usage: UsageRecord[] = [];
    let held: HeldTry | null = null;
    for (;;) {
      const claimed = await titles.claim(executionId, TRY_MS + WRITING_MS, held);
      if (claimed === null) return;
      if (held === null && this.asksModel(claimed)) usage.push(...earlierTries(claimed));
      const made = await this.attempt(claimed);
      usage.push(...made.usage);
      if (made.title !== null) {
        await this.finish(claimed, made.title, usage);
        return;
      }
      held = { tryNumber: claimed.tryNumber, isModelAway: leavesModel(made, claimed) };
    }
  }

  private async attempt(claimed: ClaimedTitle): Promise<Try> {
    const { input, tryNumber, elapsedMs } = claimed;
    const llm = askedBy(claimed, tryNumber);
    const isTimeLeft = tryNumber <= mostTries(claimed) && elapsedMs < ALL_TRIES_MS;
    if (!this.asksModel(claimed) || llm === null || !llm.isActive || !isTimeLeft)
      return { title: titleFromInput(input), usage: [] };
    try {
      return await this.ask(claimed, llm, this.given.resolve(llm));
    } catch (err) {
      this.given.logger.warn({ err, executionId: claimed.executionId, tryNumber }, 'no title from the model');
      return { title: null, usage: [], away: awayBy(err) };
    }
  }

  private asksModel({ isOfTenant }: ClaimedTitle): boolean {
    return isOfTenant || this.given.asksModels;
  }

  private async ask(
    claimed: ClaimedTitle,
    llm: StoredLlm,
    { resolved, parameters }: TitleModel,
  ): Promise<Try> {
    const { executionId, input, reply, tryNumber, elapsedMs } = claimed;
    const request = { model: llm.model, messages: titlePrompt(input, reply), tools: [], parameters };
    const remainingMs = Math.ceil(Math.min(TRY_MS, ALL_TRIES_MS - elapsedMs));
    const limits = { remainingMs, isLastTry: isLastTry(claimed), isFollowed: false };
    const signal = AbortSignal.timeout(remainingMs);
    const call = callOf(tryNumber, llm);
    try {
      const answer = await resolved.model.call(request, () => undefined, signal, limits);
      return { title: readTitle(answer.text), usage: [usageBesideLoop(call, answer, resolved.costOf)] };
    } catch (err) {
      if (!signal.aborted && !(err instanceof ModelCallError)) throw err;
      this.given.logger.warn({ err, executionId, tryNumber }, 'no title from the model');
      const ending = signal.aborted ? 'given_up' : (err as ModelCallError);
      const usage = [usageBesideLoop(call, ending, resolved.costOf)];
      return { title: null, usage, away: signal.aborted ? 'gone' : awayBy(err) };
    }
  }

  private async finish(claimed: ClaimedTitle, title: string, usage: readonly UsageRecord[]): Promise<void> {
    const { titles, meter } = this.given;
    const isTitled = await titles.finish(claimed, title, usage);
    if (usage.length > 0) meter.record({ kind: 'model_calls', calls: measureModelCalls(usage) });
    if (isTitled) await this.announce(claimed.executionId, title);
  }

  /**
   * Emits the title after the `result` event. If `result` is not the last event (the stream was lost, or the worker died
   * before emitting it), followers read the title from the database; an event here would take the number of their
   * `result`.
   */
  private async announce(executionId: string, title: string): Promise<void> {
    const { events, logger } = this.given;
    try {
      const lastId = await events.lastId(executionId);
      const [last] = await events.readAfter(executionId, lastId - 1, 1);
      if (last?.event !== 'result') return;
      await events.append(executionId, lastId + 1, [{ event: 'title_generated', data: { title } }]);
    } catch (err) {
      logger.warn({ err, executionId }, 'title not emitted');
    }
  }
}

/** A model gets its own tries; one more asks the fallback of a model that is away. */
function mostTries({ fallbacks, fallbackFrom }: ClaimedTitle): number {
  return TRIES_OF_A_MODEL + (fallbackFrom !== null && fallbacks.length > 0 ? 1 : 0);
}

/** Whether nothing is asked where this try fails. */
function isLastTry({ tryNumber, fallbacks }: ClaimedTitle): boolean {
  return tryNumber >= TRIES_OF_A_MODEL + (fallbacks.length > 0 ? 1 : 0);
}

function awayBy(err: unknown): Away {
  if (!leadsToFallback(err)) return null;
  return err instanceof ModelHostUnavailableError ? 'gone' : 'passing';
}

/** Whether the next try asks the fallback: a model gets its own tries, unless asking it again would only cost time. */
function leavesModel({ away }: Try, { tryNumber, fallbacks }: ClaimedTitle): boolean {
  if (fallbacks.length === 0) return false;
  return away === 'gone' || (away === 'passing' && tryNumber >= TRIES_OF_A_MODEL);
}

/** The model that a try asks. */
function askedBy({ llm, fallbacks, fallbackFrom }: ClaimedTitle, tryNumber: number): StoredLlm | null {
  return fallbackFrom !== null && tryNumber >= fallbackFrom ? (fallbacks[0] ?? llm) : llm;
}

function callOf(tryNumber: number, { model }: StoredLlm): CallBesideLoop {
  return { purpose: 'title', tryNumber, model };
}

/** Usage of earlier tries with lost workers; the cost is unknown. */
function earlierTries(claimed: ClaimedTitle): readonly UsageRecord[] {
  return Array.from({ length: claimed.tryNumber - 1 }, (_unused, index) => index + 1).flatMap((tryNumber) => {
    const llm = askedBy(claimed, tryNumber);
    return llm === null ? [] : [unknownUsage(callOf(tryNumber, llm))];
  });
}
