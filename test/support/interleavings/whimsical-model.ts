import { ModelCallError, ModelPort, type ModelAnswer, type ModelRequest } from '#libs/agent-core';
import { aCall, aModelAnswer } from '../builders/model-answer.js';
import type { ProcessLine } from './process-line.js';
import { abortOf } from './tool-ledger.js';

/** The tools that one answer of the model calls; null if the call fails. */
export type Whim = readonly string[] | null;

/** The answers of the model, shared by all workers. */
export class Whims {
  private count = 0;
  private readonly byToken = new Map<string, number>();

  constructor(private readonly whims: readonly Whim[]) {}

  /** The number of calls so far. */
  get asked(): number {
    return this.count;
  }

  /** The number of calls under one claim. */
  askedUnder(token: string): number {
    return this.byToken.get(token) ?? 0;
  }

  /** Gives a different answer each time, as real models do: an answer that one attempt read does not predict the next. */
  next(token: string): ModelAnswer | null {
    const serial = (this.count += 1);
    this.byToken.set(token, this.askedUnder(token) + 1);
    const whim = this.whims[serial - 1];
    if (whim === null) return null;
    if (whim === undefined) return aModelAnswer({ text: `answer ${serial}` });
    const toolCalls = whim.map((tool, index) => aCall(tool, `c${serial}.${index}`, { serial, index }));
    return aModelAnswer({ toolCalls });
  }
}

/** The model, reached by one worker over its line. */
export class RemoteModel extends ModelPort {
  constructor(
    private readonly whims: Whims,
    private readonly line: ProcessLine,
    /** Returns the token of the worker's claim. */
    private readonly token: () => string,
  ) {
    super();
  }

  override async call(_request: ModelRequest, _onDelta: unknown, signal: AbortSignal): Promise<ModelAnswer> {
    const running = this.line.ask('model', () => this.whims.next(this.token()));
    const answer = await Promise.race([running, abortOf(signal).then(() => 'aborted' as const)]);
    if (answer === 'aborted') throw new Error('aborted');
    if (answer === null) throw new ModelCallError(BUSY);
    return answer;
  }
}

const BUSY = { reason: 'rate_limited', message: 'busy', retryable: true };
