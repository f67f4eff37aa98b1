import type { Asker } from '#libs/kit';
import type { JsonValue } from '#libs/kernel';
import type { DomainDependencies } from './domain-dependencies.js';

/**
 * Looks up current information on a value in a message's data: one line that the model reads after the value, or null
 * for nothing (S2-26).
 */
export type LookUp<Manager> = (
  value: JsonValue,
  asker: Asker,
  dependencies: DomainDependencies<Manager>,
) => Promise<string | null>;

/** The look-ups of a process, by key of the message data. */
export type LookUps = ReadonlyMap<string, (value: JsonValue, asker: Asker) => Promise<string | null>>;
