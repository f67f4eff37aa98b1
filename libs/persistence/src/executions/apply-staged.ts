import { StagedChangeRefusedError } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { UnreadableStagedChangeError, type StagedChange } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { isError } from '#libs/kernel';

/** Applies a staged change of the domain; called inside the settling transaction. */
export type ApplyStagedChange = (manager: EntityManager, change: StagedChange, claim: Claim) => Promise<void>;

/** Data refused by the database fails this run; it is no failure of the transaction. */
export async function applyStaged(
  manager: EntityManager,
  change: StagedChange,
  claim: Claim,
  apply: ApplyStagedChange,
): Promise<void> {
  try {
    await apply(manager, change, claim);
  } catch (error) {
    throw isRefusedData(error) ? new StagedChangeRefusedError(change.kind, error) : error;
  }
}

/** SQLSTATE classes of refused data: data exception, integrity constraint, and `RAISE` in a trigger. */
const REFUSED_DATA = /^(22|23|P0001)/;

function isRefusedData(error: unknown): boolean {
  if (error instanceof UnreadableStagedChangeError) return true;
  return isError(error) && 'code' in error && REFUSED_DATA.test(String(error.code));
}
