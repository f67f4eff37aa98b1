/**
 * A fault's text; a function if it is expensive to build, because most faults are discarded when another alternative
 * matches.
 */
export type Message = string | (() => string);

/** A rejected part of a value. */
export interface Fault {
  /** Dotted path, e.g. `lines.0.amount`; empty for the whole value. */
  readonly path: string;
  readonly message: Message;
}

/** Faults of a value; null if it is valid. */
export type Faults = readonly Fault[] | null;

export function refused(message: Message): Faults {
  return [{ path: '', message }];
}

/** Prefixes the paths of faults with a key. */
export function faultsAt(key: string | number, faults: Faults): Faults {
  if (faults === null) return null;
  return faults.map(({ path, message }) => ({ path: path === '' ? `${key}` : `${key}.${path}`, message }));
}

/** The fault as text. */
export function inWords({ path, message }: Fault): string {
  const text = typeof message === 'string' ? message : message();
  return path === '' ? text : `${path}: ${text}`;
}
