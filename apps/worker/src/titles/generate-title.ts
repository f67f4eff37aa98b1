import { EventStream, readTitle, titleFromInput, titlePrompt } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import type { ClaimedTitle, SessionTitleStore, StoredLlm } from '#libs/persistence';
import type { ResolvedModel } from '../execute/model.factory.js';

/** Tries and time of a title, by the decision over S4-41; then the session is named after its input. */
const MAX_TRIES = 2;
const TRY_MS = 10_000;
const ALL_TRIES_MS = 20_000;
/** How much longer than a try its lease lasts: the answer has to be written too. */
const WRITING_MS = 2_000;

export interface GenerateTitleDependencies {
  readonly titles: SessionTitleStore;
  /** The model of the session's agent, and what is to be asked of it; null where titles are taken from the input. */
  readonly askFor: ((llm: StoredLlm) => { readonly model: ResolvedModel; readonly parameters: JsonObject }) | null;
  readonly events: Pick<EventStream, 'lastId' | 'readAfter' | 'append'>;
  readonly logger: Logger;
}

/**
 * One job: ask a model for the title of a session, store it, tell it. The row in the database says whether anything is
 * left to do, so a job may come twice, and one whose worker died is sent again.
 */
export class GenerateTitle {
  constructor(private readonly given: GenerateTitleDependencies) {}

  async execute(executionId: string): Promise<void> {
    const { titles } = this.given;
    for (let held: number | null = null; ;) {
      const claimed = await titles.claim(executionId, TRY_MS + WRITING_MS, held);
      if (claimed === null) return;
      const title = mayAsk(claimed) ? await this.ask(claimed) : titleFromInput(claimed.input);
      if (title !== null) {
        if (await titles.finish(executionId, title)) await this.announce(executionId, title);
        return;
      }
      held = claimed.tryNumber;
    }
  }

  /** Null after a failure that another try may mend. */
  private async ask(claimed: ClaimedTitle): Promise<string | null> {
    const { askFor, logger } = this.given;
    const { executionId, llm, input, tryNumber, elapsedMs } = claimed;
    if (askFor === null || llm === null || !llm.isActive) return titleFromInput(input);
    try {
      const { model, parameters } = askFor(llm);
      const request = { model: llm.model, messages: titlePrompt(input, claimed.reply), tools: [], parameters };
      const remainingMs = Math.min(TRY_MS, ALL_TRIES_MS - elapsedMs);
      const limits = { remainingMs, isLastTry: tryNumber >= MAX_TRIES };
      const answer = await model.model.call(
        request,
        () => undefined,
        AbortSignal.timeout(Math.ceil(remainingMs)),
        limits,
      );
      return readTitle(answer.text);
    } catch (err) {
      logger.warn({ err, executionId, tryNumber }, 'no title from the model');
      return null;
    }
  }

  /**
   * As the event after the `result`. Where that is not the last one, since the stream was lost or the worker died before it
   * told the result, followers learn of the title from the database; an event here would take the number of theirs.
   */
  private async announce(executionId: string, title: string): Promise<void> {
    const { events, logger } = this.given;
    try {
      const lastId = await events.lastId(executionId);
      const [last] = await events.readAfter(executionId, lastId - 1, 1);
      if (last?.event !== 'result') return;
      await events.append(executionId, lastId + 1, [{ event: 'title_generated', data: { title } }]);
    } catch (err) {
      logger.warn({ err, executionId }, 'title not told');
    }
  }
}

function mayAsk({ tryNumber, elapsedMs }: ClaimedTitle): boolean {
  return tryNumber <= MAX_TRIES && elapsedMs < ALL_TRIES_MS;
}
