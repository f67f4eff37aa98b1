import {
  ModelCallError,
  type ModelAnswer,
  type ModelCallLimits,
  type ModelDelta,
  type ModelRequest,
} from '#libs/agent-core';
import { openModel, type ModelOptions } from '../../support/services/open-model.js';

export interface CallOutcome {
  readonly answer: ModelAnswer | null;
  readonly error: ModelCallError | null;
  readonly deltas: readonly ModelDelta[];
}

function requestOf(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    parameters: {},
    ...fields,
  };
}

/** Makes one call with short limits. Rethrows any error but a `ModelCallError`, which alone may leave the adapter. */
export async function callModel(
  { provider, ...options }: ModelOptions & { readonly provider?: string },
  request: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
  onDelta: (delta: ModelDelta) => void = () => undefined,
  limits?: ModelCallLimits,
): Promise<CallOutcome> {
  const model = openModel({ idleTimeoutMs: 5_000, ...options }, provider);
  const deltas: ModelDelta[] = [];
  const collect = (delta: ModelDelta): void => {
    deltas.push(delta);
    onDelta(delta);
  };
  try {
    return { answer: await model.call(requestOf(request), collect, signal, limits), error: null, deltas };
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error;
    return { answer: null, error, deltas };
  }
}

export const shownText = (outcome: CallOutcome): string =>
  outcome.deltas
    .filter((delta) => delta.kind === 'text')
    .map((delta) => (delta.kind === 'tool_call' ? '' : delta.content))
    .join('');
