import { Dispatcher } from '#libs/executions';
import type { DueTitle } from '#libs/persistence';

/** Sends the jobs of titles: at once for an execution whose result was just emitted, later for what was lost. */
export class TitleDispatcher {
  private announced = new Set<string>();
  private readonly dispatcher: Dispatcher<DueTitle>;

  constructor(
    source: {
      take(announced: readonly string[]): Promise<readonly DueTitle[]>;
      requeue(due: readonly DueTitle[]): Promise<void>;
    },
    send: (due: readonly DueTitle[]) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    const take = (): Promise<readonly DueTitle[]> => source.take(this.takeAnnounced());
    this.dispatcher = new Dispatcher({ take, requeue: (due) => source.requeue(due) }, send, onError);
  }

  /** The result of this execution has been emitted; a title may follow. Returns at once. */
  announce(executionId: string): void {
    this.announced.add(executionId);
    this.dispatcher.trigger();
  }

  dispatch(): Promise<number> {
    return this.dispatcher.dispatch();
  }

  /** Those that a dispatch in vain has forgotten become due by themselves. */
  private takeAnnounced(): readonly string[] {
    const ids = [...this.announced];
    this.announced = new Set();
    return ids;
  }
}
