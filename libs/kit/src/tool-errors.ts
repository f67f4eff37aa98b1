/** Property that marks errors of the kit, since `instanceof` fails between two installed copies of it. */
const MARK = 'capstanError';

const KINDS = ['failure', 'not_begun', 'outcome_unknown'] as const;
type ErrorKind = (typeof KINDS)[number];

/**
 * Thrown by a tool whose call failed for a reason that the model should read, e.g. `There is no city "Pariss"`. The call has
 * had no effect. The message is shown to the model: put no secret into it.
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly [MARK] = 'failure' satisfies ErrorKind;
}

/** Thrown by an `unsafe` tool that has certainly had no effect. The message is kept in the audit log only. */
export class ToolNotBegun extends Error {
  override readonly name = 'ToolNotBegun';
  readonly [MARK] = 'not_begun' satisfies ErrorKind;
}

/**
 * Thrown by an `unsafe` tool if its effect may have happened, e.g. after a broken connection. `onUnknown` of the tool then
 * decides how the execution continues. The message is kept in the audit log only.
 */
export class ToolOutcomeUnknown extends Error {
  override readonly name = 'ToolOutcomeUnknown';
  readonly [MARK] = 'outcome_unknown' satisfies ErrorKind;
}

/** Kind of an error of the kit, thrown by this copy or another one; null for any other value. */
export function errorKindOf(thrown: unknown): ErrorKind | null {
  if (!(thrown instanceof Error) || !(MARK in thrown)) return null;
  return KINDS.find((kind) => kind === thrown[MARK]) ?? null;
}
