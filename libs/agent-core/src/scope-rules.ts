import { callSignature, type CallVerdict } from '#libs/tooling';
import { argumentsOf, forgetArguments } from './call-arguments.js';
import type { RequestedCall } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';
import type { ToolCallState } from './scope-state.js';

/** The rules of one scope that runs: each of its calls is judged once, since arguments may be large and schemas slow. */
export interface ScopeRules extends Omit<LoopRules, 'judge'> {
  verdictOf(call: ToolCallState): CallVerdict;
  /** Tool and input as text, equal where two calls ask for the same; null of a call that is refused. */
  signatureOf(call: ToolCallState): string | null;
  /** Drops the verdicts of calls that nothing is decided on any more, and with them their inputs. */
  forget(calls: readonly ToolCallState[]): void;
}

/** A call is known by the object that it was asked for by, which every later state of it names. */
export function judgeOnce(rules: LoopRules): ScopeRules {
  const verdicts = new WeakMap<RequestedCall, CallVerdict>();
  const signatures = new WeakMap<RequestedCall, string | null>();
  const verdictOf = (call: ToolCallState): CallVerdict =>
    kept(verdicts, call.requested, () => rules.judge(call, argumentsOf(call)));
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
