import { callSignature, type CallVerdict } from '#libs/tooling';
import { argumentsOf, forgetArguments } from './call-arguments.js';
import type { RequestedCall } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';
import type { ToolCallState } from './scope-state.js';

/** The rules of a running scope. Each call is evaluated once, since arguments may be large and schemas slow. */
export interface ScopeRules extends Omit<LoopRules, 'evaluate'> {
  verdictOf(call: ToolCallState): CallVerdict;
  /** Tool and input as text, equal for equal calls; null for a refused call. */
  signatureOf(call: ToolCallState): string | null;
  /** Evicts the verdicts and inputs of calls that no decision depends on any more. */
  forget(calls: readonly ToolCallState[]): void;
}

/** Caches verdicts by the `requested` object, which is the same in every state of a call. */
export function evaluateOnce(rules: LoopRules): ScopeRules {
  const verdicts = new WeakMap<RequestedCall, CallVerdict>();
  const signatures = new WeakMap<RequestedCall, string | null>();
  const verdictOf = (call: ToolCallState): CallVerdict =>
    kept(verdicts, call.requested, () => rules.evaluate(call, argumentsOf(call)));
  const signatureOf = (call: ToolCallState): string | null =>
    kept(signatures, call.requested, () => {
      const verdict = verdictOf(call);
      return verdict.kind === 'run' ? callSignature({ ...call, input: verdict.input }) : null;
    });
  const forget = (calls: readonly ToolCallState[]): void => {
    for (const call of calls) {
      verdicts.delete(call.requested);
      forgetArguments(call);
    }
  };
  return { ...rules, verdictOf, signatureOf, forget };
}

function kept<Value>(values: WeakMap<RequestedCall, Value>, key: RequestedCall, make: () => Value): Value {
  const found = values.get(key);
  if (found !== undefined) return found;
  const made = make();
  values.set(key, made);
  return made;
}
