import { canonicalJson, toStorableJson } from '#libs/kernel';
import { REPEATED_FAILURE_TEXT, REPEATED_UNKNOWN_TEXT } from './fixed-texts.js';
import type { RefusalReason } from './refusal-reason.js';

/** A call as it would run. */
export interface SignedCall {
  readonly toolName: string;
  /** As of `callSignature`, made where it is needed; null where the checks refuse its arguments. */
  readonly signature: () => string | null;
}

/** A call of the same run that came before and has ended. */
export interface EarlierCall extends SignedCall {
  readonly status: 'succeeded' | 'failed' | 'refused' | 'outcome_unknown';
  /** What the model read of it. */
  readonly output: string;
}

export type RepeatVerdict =
  | { readonly kind: 'fresh' }
  /** Not to be run. `output` is for the model, `original` is what it read the first time. */
  | {
      readonly kind: 'repeat';
      readonly reason: Extract<RefusalReason, 'repeated_failure' | 'repeated_unknown'>;
      readonly output: string;
      readonly original: string;
    };

/**
 * Is this call one that ended badly before in its run (S0-38, S1-72)? Only what threw counts, and what may have taken
 * effect without anybody knowing; refused calls may be repeated freely, and so may those that succeeded. Pure: asked
 * again after a crash it answers the same.
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

/**
 * The same for calls that ask for the same: tool name and input, whatever the order of its keys (3.D-7).
 *
 * @param call with what the checks made of its arguments
 */
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
