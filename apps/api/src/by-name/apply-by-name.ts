import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/kernel';
import { ManagedResourceStore, type ManagedKind, type Named, type Versioned } from '#libs/persistence';
import { keepsChanging, nameAmbiguous } from './by-name.errors.js';

/** Most tries while other requests change the resource. */
const MAX_TRIES = 10;

interface Identified {
  readonly id: number | string;
}

/** A resource as it is shown, with that by which its kind notices a change since: a version, or a sealed secret. */
export interface Found<View> {
  readonly view: View;
}

/** Resources of one kind, which are created or replaced by their name. */
export abstract class ByName<Fields, View extends Identified, Seen extends Found<View> = Versioned<View>> {
  abstract readonly kind: ManagedKind;
  abstract find(tenantId: string, name: string): Promise<Named<Seen>>;
  /** Throws the faults of fields that a creation would refuse. */
  abstract check(tenantId: string, fields: Fields): Promise<void>;
  /** Names of the fields that a replacement would change. Throws the faults that it would be refused for. */
  abstract compare(tenantId: string, before: Seen, fields: Fields): Promise<string[]>;
  /** Null where another resource has taken the name. */
  abstract create(tenantId: string, fields: Fields): Promise<Found<View> | null>;
  /** Null where another request changed the resource since it was seen, or it is gone. */
  abstract replace(tenantId: string, before: Seen, fields: Fields): Promise<Found<View> | null>;
}

export interface ApplyCommand<Fields> {
  readonly tenantId: string;
  readonly name: string;
  readonly fields: Fields;
  /** Set of files that the resource then belongs to; undefined leaves that as it is. */
  readonly managedBy: string | undefined;
  /** Decides, and changes nothing. */
  readonly isDryRun: boolean;
}

export interface Applied<View> {
  readonly outcome: 'created' | 'changed' | 'unchanged';
  readonly changed_fields: readonly string[];
  /** Null where it would be created. */
  readonly resource: View | null;
}

/** Creates or replaces resources by name. A resource that is as it ought to be is not written, and gets no new version. */
@Injectable()
export class ApplyByName {
  constructor(private readonly managed: ManagedResourceStore) {}

  async execute<Fields, View extends Identified, Seen extends Found<View>>(
    kind: ByName<Fields, View, Seen>,
    command: ApplyCommand<Fields>,
  ): Promise<Applied<View>> {
    const { tenantId, managedBy, isDryRun } = command;
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const applied = await this.attempt(kind, command);
      if (applied === null) continue;
      if (managedBy !== undefined && !isDryRun && applied.resource !== null)
        await this.managed.mark(tenantId, kind.kind, String(applied.resource.id), managedBy);
      return applied;
    }
    throw keepsChanging();
  }

  /** Null where another request came in between. */
  private async attempt<Fields, View extends Identified, Seen extends Found<View>>(
    kind: ByName<Fields, View, Seen>,
    { tenantId, name, fields, isDryRun }: ApplyCommand<Fields>,
  ): Promise<Applied<View> | null> {
    const before = await kind.find(tenantId, name);
    if (before === 'ambiguous') throw nameAmbiguous();
    if (before === null) {
      await kind.check(tenantId, fields);
      const made = isDryRun ? null : await kind.create(tenantId, fields);
      if (made === null && !isDryRun) return null;
      return { outcome: 'created', changed_fields: [], resource: made?.view ?? null };
    }
    const changed = await kind.compare(tenantId, before, fields);
    if (changed.length === 0) return { outcome: 'unchanged', changed_fields: [], resource: before.view };
    const after = isDryRun ? before : await kind.replace(tenantId, before, fields);
    return after && { outcome: 'changed', changed_fields: changed, resource: after.view };
  }
}

/** The answer of a service, or null where it refuses with one of these codes. */
export async function unlessRefused<Answer>(
  asked: Promise<Answer>,
  ...codes: readonly string[]
): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && codes.includes(error.code)) return null;
    throw error;
  }
}
