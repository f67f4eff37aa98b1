import {
  ModelPort,
  type ModelAnswer,
  type ModelCallLimits,
  type ModelDelta,
  type ModelRequest,
} from '#libs/agent-core';

/** Answers each round from a script. The round is read from the prompt, so that a repeated call gets the same answer. */
export class ScriptedModel extends ModelPort {
  readonly requests: ModelRequest[] = [];
  onCall: () => void = () => undefined;

  constructor(private readonly script: readonly (ModelAnswer | Error)[]) {
    super();
  }

  override call(request: ModelRequest, onDelta: (delta: ModelDelta) => void): Promise<ModelAnswer> {
    this.requests.push(structuredClone(request));
    this.onCall();
    const round = request.messages.filter((message) => message.role === 'assistant').length;
    const answer = this.script[round];
    if (!answer) return Promise.reject(new Error(`unexpected model call in round ${round + 1}`));
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer.text !== '') onDelta({ kind: 'text', content: answer.text });
    return Promise.resolve(answer);
  }
}

/** Answers call after call in order, independently of the prompt. */
export class SequenceModel extends ModelPort {
  readonly requests: ModelRequest[] = [];
  readonly limits: (ModelCallLimits | undefined)[] = [];
  /** Called before each answer with its number, from 1. */
  onCall: (number: number) => void = () => undefined;

  constructor(private readonly answers: (ModelAnswer | Error)[]) {
    super();
  }

  override call(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    _signal: AbortSignal,
    limits?: ModelCallLimits,
  ): Promise<ModelAnswer> {
    this.requests.push(structuredClone(request));
    this.limits.push(limits);
    this.onCall(this.requests.length);
    const answer = this.answers.shift();
    if (!answer) return Promise.reject(new Error('unexpected model call'));
    if (answer instanceof Error) {
      onDelta({ kind: 'text', content: 'half a sen' });
      return Promise.reject(answer);
    }
    return Promise.resolve(answer);
  }
}
