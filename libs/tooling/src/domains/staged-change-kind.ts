import { AppError } from '#libs/kernel';
import type { z } from 'zod';
import type { StagedChange } from '../tool-definition.js';

/** The execution that settles. */
export interface SettlingExecution {
  readonly tenantId: string;
  readonly executionId: string;
}

/** What the data of a kind of staged change is, and who makes it real. Made by {@link defineStagedChange}. */
export interface StagedChangeKind<Manager> {
  /** What a tool may stage is checked by it as soon as the tool returns. */
  readonly data: z.ZodType;
  /** Throws `UnreadableStagedChangeError`, without having done anything, where the data are of another shape. */
  apply(manager: Manager, change: StagedChange, execution: SettlingExecution): Promise<void>;
}

export interface StagedChangeDefinition<Manager, Data> {
  readonly data: z.ZodType<Data>;
  /**
   * Makes the change real, with the manager of the transaction that settles the execution (S4-20). It may be called again
   * with the same data, and must then change nothing.
   */
  apply(manager: Manager, data: Data, execution: SettlingExecution): Promise<void>;
}

/** A kind of staged change whose applier gets what the schema reads. */
export function defineStagedChange<Manager, Data>(
  definition: StagedChangeDefinition<Manager, Data>,
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

/** The tool's release staged what the settling one does not read. It will not be readable later either. */
export class UnreadableStagedChangeError extends AppError {
  constructor(changeKind: string, cause: unknown) {
    super({
      code: 'STAGED_CHANGE_REFUSED',
      kind: 'conflict',
      message: `a change that a tool had prepared cannot be read: ${changeKind}`,
      details: { changeKind },
      cause,
    });
  }
}
