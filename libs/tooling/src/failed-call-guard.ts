import { canonicalJson, toStorableJson } from '#libs/kernel';
import { REPEATED_FAILURE_TEXT, REPEATED_UNKNOWN_TEXT } from './fixed-texts.js';
import type { RefusalReason } from './refusal-reason.js';

/** A tool call with its signature. */
export interface SignedCall {
  readonly toolName: string;
  /** Result of `callSignature`, computed on demand; null if the call's arguments are invalid. */
  readonly signature: () => string | null;
}

/** An earlier, ended call of the same run. */
export interface EarlierCall extends SignedCall {
  readonly status: 'succeeded' | 'failed' | 'refused' | 'outcome_unknown';
  /** Text that the model read as the call's answer. */
  readonly output: string;
}

export type RepeatVerdict =
  | { readonly kind: 'fresh' }
  /** The call is refused. `output` is shown to the model; `original` is the text of the first failure. */
  | {
      readonly kind: 'repeat';
      readonly reason: Extract<RefusalReason, 'repeated_failure' | 'repeated_unknown'>;
      readonly output: string;
      readonly original: string;
    };

/**
 * Checks whether an equal call of the run failed before (S0-38, S1-72). Only failed calls and calls with an unknown
 * outcome block repeats; refused and succeeded calls do not. Pure, so that the verdict is the same after a crash.
 */
export function checkRepeat(call: SignedCall, earlier: Iterable<EarlierCall>): RepeatVerdict {
  let signature: string | null = null;
  for (const past of earlier) {
    if (past.toolName !== call.toolName || !blocksRepeats(past)) continue;
    signature ??= call.signature();
    if (signature === null || past.signature() !== signature) continue;
    const reported =
      past.status === 'failed'
        ? ({ reason: 'repeated_failure', output: REPEATED_FAILURE_TEXT } as const)
        : ({ reason: 'repeated_unknown', output: REPEATED_UNKNOWN_TEXT } as const);
    return { kind: 'repeat', ...reported, original: past.output };
  }
  return { kind: 'fresh' };
}

/** Signature that is equal for equal calls: same tool and same parsed input, regardless of key order (3.D-7). */
export function callSignature({
  toolName,
  input,
}: {
  readonly toolName: string;
  readonly input: unknown;
}): string {
  return canonicalJson([toolName, toStorableJson(input)]);
}

function blocksRepeats({ status }: EarlierCall): boolean {
  return status === 'failed' || status === 'outcome_unknown';
}
