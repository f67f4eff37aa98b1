import { ModelCallError, readTitle, titleFromInput, titlePrompt, type UsageRecord } from '#libs/agent-core';
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
import type { ClaimedTitle, SessionTitleStore } from '#libs/persistence';

/** Tries and time of a title, by the decision over S4-41; then the session is named after its input. */
const MAX_TRIES = 2;
const TRY_MS = 10_000;
const ALL_TRIES_MS = 20_000;
/** How much longer than a try its lease lasts: the answer has to be written too. */
const WRITING_MS = 2_000;

/** What is asked for titles, and how. */
export interface TitleModel {
  readonly resolved: Pick<ResolvedModel, 'model' | 'costOf'>;
  readonly parameters: JsonObject;
}

export interface GenerateTitleDependencies {
  readonly titles: Pick<SessionTitleStore, 'claim' | 'finish'>;
  readonly resolve: (llm: StoredLlm) => TitleModel;
  /** False where titles are taken from the input, unless the tenant names a model for them. */
  readonly asksModels: boolean;
  readonly events: Pick<EventStream, 'lastId' | 'readAfter' | 'append'>;
  readonly logger: Logger;
  readonly meter: ExecutionMeter;
}

/** What came of one try; null where another one may do better. */
interface Try {
  readonly title: string | null;
  readonly usage: readonly UsageRecord[];
}

/**
 * One job: ask a model for the title of a session, store it, emit it. The row in the database says whether anything is
 * left to do, so a job may come twice, and one whose worker died is sent again.
 */
export class GenerateTitle {
  constructor(private readonly given: GenerateTitleDependencies) {}

  async execute(executionId: string): Promise<void> {
    const { titles } = this.given;
    const usage: UsageRecord[] = [];
    let heldTry: number | null = null;
    for (;;) {
      const claimed = await titles.claim(executionId, TRY_MS + WRITING_MS, heldTry);
      if (claimed === null) return;
      if (heldTry === null && this.asksModel(claimed)) usage.push(...earlierTries(claimed));
      const made = await this.attempt(claimed);
      usage.push(...made.usage);
      if (made.title !== null) {
        await this.finish(claimed, made.title, usage);
        return;
      }
      heldTry = claimed.tryNumber;
    }
  }

  private async attempt(claimed: ClaimedTitle): Promise<Try> {
    const { llm, input, tryNumber, elapsedMs } = claimed;
    const isTimeLeft = tryNumber <= MAX_TRIES && elapsedMs < ALL_TRIES_MS;
    if (!this.asksModel(claimed) || llm === null || !llm.isActive || !isTimeLeft)
      return { title: titleFromInput(input), usage: [] };
    try {
      return await this.ask(claimed, llm, this.given.resolve(llm));
    } catch (err) {
      this.given.logger.warn({ err, executionId: claimed.executionId, tryNumber }, 'no title from the model');
      return { title: null, usage: [] };
    }
  }

  private asksModel({ isOfTenant }: ClaimedTitle): boolean {
    return isOfTenant || this.given.asksModels;
  }

  private async ask(
    { executionId, input, reply, tryNumber, elapsedMs }: ClaimedTitle,
    llm: StoredLlm,
    { resolved, parameters }: TitleModel,
  ): Promise<Try> {
    const request = { model: llm.model, messages: titlePrompt(input, reply), tools: [], parameters };
    const remainingMs = Math.ceil(Math.min(TRY_MS, ALL_TRIES_MS - elapsedMs));
    const limits = { remainingMs, isLastTry: tryNumber >= MAX_TRIES };
    const signal = AbortSignal.timeout(remainingMs);
    const call = callOf(tryNumber, llm);
    try {
      const answer = await resolved.model.call(request, () => undefined, signal, limits);
      return { title: readTitle(answer.text), usage: [usageBesideLoop(call, answer, resolved.costOf)] };
    } catch (err) {
      if (!signal.aborted && !(err instanceof ModelCallError)) throw err;
      this.given.logger.warn({ err, executionId, tryNumber }, 'no title from the model');
      const ending = signal.aborted ? 'given_up' : (err as ModelCallError);
      return { title: null, usage: [usageBesideLoop(call, ending, resolved.costOf)] };
    }
  }

  private async finish(claimed: ClaimedTitle, title: string, usage: readonly UsageRecord[]): Promise<void> {
    const { titles, meter } = this.given;
    const isTitled = await titles.finish(claimed, title, usage);
    if (usage.length > 0) meter.record({ kind: 'model_calls', calls: measureModelCalls(usage) });
    if (isTitled) await this.announce(claimed.executionId, title);
  }

  /**
   * As the event after the `result`. Where that is not the last one, since the stream was lost or the worker died before it
   * emitted the result, followers learn of the title from the database; an event here would take the number of theirs.
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

function callOf(tryNumber: number, { model }: StoredLlm): CallBesideLoop {
  return { purpose: 'title', tryNumber, model };
}

/** Of the tries before the first one of a job, whose workers were lost: nobody can say what they have cost. */
function earlierTries({ tryNumber, llm }: ClaimedTitle): readonly UsageRecord[] {
  if (llm === null) return [];
  return Array.from({ length: tryNumber - 1 }, (_unused, index) => unknownUsage(callOf(index + 1, llm)));
}
