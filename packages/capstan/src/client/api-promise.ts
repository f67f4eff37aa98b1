/** An answer with its metadata. */
export interface ApiAnswer<T> {
  readonly data: T;
  /** The answer of `fetch`; its body has been read, except of a download. */
  readonly response: Response;
  /** Id of the request in the server’s log; null where a proxy answered without one. */
  readonly requestId: string | null;
  /** Whether the server had answered the same request before, under its `Idempotency-Key`. */
  readonly isReplayed: boolean;
}

/** Promise of the data of an answer, which can give the answer itself, too. */
export class ApiPromise<T> implements PromiseLike<T> {
  constructor(private readonly answer: Promise<ApiAnswer<T>>) {}

  /** The data with status, headers and request id. */
  withResponse(): Promise<ApiAnswer<T>> {
    return this.answer;
  }

  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }
}
