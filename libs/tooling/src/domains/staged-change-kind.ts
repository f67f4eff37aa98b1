import type { SettlingExecution, StagedChange as KitStagedChange } from '#libs/kit';
import { AppError } from '#libs/kernel';
import type { z } from 'zod';
import type { StagedChange } from '../tool-definition.js';

/** Schema and applier of one kind of staged change. Created by {@link defineStagedChange}. */
export interface StagedChangeKind<Manager> {
  /** Checks staged data as soon as the tool returns. */
  readonly data: z.ZodType;
  /** Throws `UnreadableStagedChangeError`, before any effect, if the data does not fit the schema. */
  apply(manager: Manager, change: StagedChange, execution: SettlingExecution): Promise<void>;
}

/**
 * Defines a kind of staged change. Its applier gets the parsed data, within the transaction that settles the execution
 * (S4-20), and must be idempotent.
 */
export function defineStagedChange<Manager, Data>(
  definition: KitStagedChange<Data, Manager>,
): StagedChangeKind<Manager> {
  return {
    data: definition.data,
    async apply(manager, change, execution) {
      const parsed = definition.data.safeParse(change.data);
      if (!parsed.success) throw new UnreadableStagedChangeError(change.kind, parsed.error);
      await definition.apply(manager, parsed.data, execution);
    },
  };
}

/** A tool staged data that the settling release cannot read. Retrying does not help. */
export class UnreadableStagedChangeError extends AppError {
  constructor(changeKind: string, cause: unknown) {
    super({
      code: 'STAGED_CHANGE_REFUSED',
      kind: 'conflict',
      message: `a staged change cannot be read: ${changeKind}`,
      details: { changeKind },
      cause,
    });
  }
}
