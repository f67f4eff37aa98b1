import { ModelPort, type ModelAnswer, type ModelRequest } from '#libs/agent-core';

/** A model that answers or fails when a command says so. */
export class PatientModel extends ModelPort {
  private asked = Promise.withResolvers<undefined>();
  private answered = Promise.withResolvers<ModelAnswer>();

  override call(_request: ModelRequest, _onDelta: unknown, signal: AbortSignal): Promise<ModelAnswer> {
    const { promise } = this.answered;
    this.asked.resolve(undefined);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.forget();
        reject(new Error('given up'));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      promise.then(resolve, reject);
    });
  }

  untilAsked(): Promise<undefined> {
    return this.asked.promise;
  }

  answer(answer: ModelAnswer): void {
    this.next().resolve(answer);
  }

  fail(error: Error): void {
    this.next().reject(error);
  }

  /** Drops the current call, because its caller no longer awaits the answer. */
  forget(): void {
    this.next();
  }

  /** Replaces the promises of the current call, so that `untilAsked` waits for the next call. */
  private next(): PromiseWithResolvers<ModelAnswer> {
    const { answered } = this;
    this.answered = Promise.withResolvers<ModelAnswer>();
    this.asked = Promise.withResolvers<undefined>();
    return answered;
  }
}
