import { ModelCallError, ModelPort, type ModelAnswer, type ModelRequest } from '#libs/agent-core';
import { aCall, aModelAnswer } from '../builders/model-answer.js';
import type { ProcessLine } from './process-line.js';
import { abortOf } from './tool-ledger.js';

/** The tools that a model asks for in one answer; null: the call fails. */
export type Whim = readonly string[] | null;

/** What models have answered so far, whoever asked. */
export class Whims {
  private count = 0;
  private readonly byToken = new Map<string, number>();

  constructor(private readonly whims: readonly Whim[]) {}

  /** How many calls the model has got. */
  get asked(): number {
    return this.count;
  }

  /** How many of them under one claim. */
  askedUnder(token: string): number {
    return this.byToken.get(token) ?? 0;
  }

  /** Never the same answer twice, as real models do: what one attempt read says nothing of the next one. */
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

/** The model as one worker reaches it. */
export class RemoteModel extends ModelPort {
  constructor(
    private readonly whims: Whims,
    private readonly line: ProcessLine,
    /** Of the claim. */
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
