import type { JsonValue } from '#libs/kernel';
import type { DomainDependencies } from './domain-dependencies.js';

/** For whom something is looked up: nothing of another tenant is there. */
export interface Asker {
  readonly tenantId: string;
  /** As the request names its executor; null where it names nobody. */
  readonly userId: string | null;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/**
 * What there is to say now of a value in the data of a message, in a line that the model reads behind it; null where there
 * is nothing (S2-26).
 */
export type LookUp<Manager> = (
  value: JsonValue,
  asker: Asker,
  dependencies: DomainDependencies<Manager>,
) => Promise<string | null>;

/** What a process can look up, by the key of the data. */
export type LookUps = ReadonlyMap<string, (value: JsonValue, asker: Asker) => Promise<string | null>>;
