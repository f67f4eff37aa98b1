import type { ModelDelta } from '#libs/agent-core';
import { systemClock } from '#libs/kernel';
import type { RestoredAnswer } from '../wire/model-calls/restored-answer.js';
import { reportedEngineFailure, engineFailure } from './engine-failure.js';
import { EngineProcess, type EngineNews } from './engine-process.js';
import type { OpenOrder } from './engine-protocol.js';
import type { GivenOutput } from './continue-conversation.js';
import { MessageProcessor, type ProcessorStep } from './message-processor.js';

type Ending = Extract<ProcessorStep, { kind: 'answered' | 'finished' }>;
type News = Ending | { readonly kind: 'error'; readonly error: Error };

interface Waiting {
  readonly onDelta: (delta: ModelDelta) => void;
  readonly resolve: (news: News) => void;
}

/** One conversation with the engine: answers come one by one, and outputs of tools go in between. */
export class EngineConversation {
  private readonly processor = new MessageProcessor();
  private readonly engine: EngineProcess;
  private waiting: Waiting | null = null;
  /** Set when the conversation is over; the next call begins another one. */
  private ending: News | null = null;

  constructor(
    orderFor: (home: string) => OpenOrder,
    private readonly sessionId: string,
    private readonly secrets: readonly string[],
    { mostRssBytes, program }: { readonly mostRssBytes: number; readonly program?: string | undefined },
    onGone: () => void,
  ) {
    const hear = (news: EngineNews): void => {
      this.hear(news);
      if (news.kind === 'gone') onGone();
    };
    this.engine = new EngineProcess(hear, mostRssBytes, program);
    this.engine.send(orderFor(this.engine.home));
  }

  /** True while an answer is awaited. */
  get isBusy(): boolean {
    return this.waiting !== null;
  }

  /** True if the conversation cannot go on. */
  get isOver(): boolean {
    return this.ending !== null;
  }

  /** Gives the outputs of the last answer's calls; the next answer follows from them. */
  give(outputs: readonly GivenOutput[]): void {
    for (const output of outputs) this.engine.send({ kind: 'output', ...output });
  }

  /** The next answer. Throws a `ModelCallError`, and what `onDelta` throws. */
  async next(
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<RestoredAnswer> {
    const stop = (): void => {
      this.close(engineFailure('gone'));
    };
    let heardAt = systemClock.monotonic();
    const hear = (delta: ModelDelta): void => {
      onDelta(delta);
      heardAt = systemClock.monotonic();
    };
    const tooSlow = setTimeout(() => {
      const silenceMs = Math.min(timeoutMs, Math.round(systemClock.monotonic() - heardAt));
      this.close(engineFailure('too_slow', silenceMs));
    }, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const news = await new Promise<News>((resolve) => {
        if (this.ending !== null) resolve(this.ending);
        else this.waiting = { onDelta: hear, resolve };
        if (signal.aborted) stop();
      });
      if (news.kind === 'error') throw news.error;
      return news.answer;
    } finally {
      clearTimeout(tooSlow);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends the engine with its whole group. */
  close(error: Error = engineFailure('gone')): void {
    this.settle({ kind: 'error', error });
    this.engine.end();
  }

  private hear(news: EngineNews): void {
    switch (news.kind) {
      case 'message':
        for (const step of this.processor.push(news.message)) this.take(step);
        return;
      case 'asked':
        this.processor.outputAsked(news.callId);
        return;
      case 'failed':
        this.close(engineFailure(news.reason));
        return;
      case 'ended':
      case 'gone':
        this.close(engineFailure(news.kind));
    }
  }

  private take(step: ProcessorStep): void {
    switch (step.kind) {
      case 'opened':
        if (step.sessionId !== this.sessionId) this.close(engineFailure('other_session'));
        return;
      case 'deltas':
        this.show(step.deltas);
        return;
      case 'answered':
        this.answer(step);
        return;
      case 'finished':
        this.settle(step);
        this.engine.end();
        return;
      case 'failed':
        this.close(reportedEngineFailure(step.word, step.text, this.secrets));
        return;
      case 'diverged':
        this.close(engineFailure('diverged'));
    }
  }

  private show(deltas: readonly ModelDelta[]): void {
    try {
      for (const delta of deltas) this.waiting?.onDelta(delta);
    } catch (error) {
      this.close(error as Error);
    }
  }

  private answer(step: Ending): void {
    // An answer that nothing has asked for means that the engine went on by itself.
    if (this.waiting === null) this.close(engineFailure('diverged'));
    this.waiting?.resolve(step);
    this.waiting = null;
  }

  private settle(news: News): void {
    this.ending ??= news;
    this.waiting?.resolve(this.ending);
    this.waiting = null;
  }
}
