/** A reason; a function where it is long, since most faults are never named: another form fits. */
export type Message = string | (() => string);

/** A part of a value that a schema refuses. */
export interface Fault {
  /** The field as a model wrote it, `lines.0.amount`; empty for the whole. */
  readonly path: string;
  readonly message: Message;
}

/** The faults of a value; null where it fits. */
export type Faults = readonly Fault[] | null;

export function refused(message: Message): Faults {
  return [{ path: '', message }];
}

/** The same faults, seen from the value that the part belongs to. */
export function faultsAt(key: string | number, faults: Faults): Faults {
  if (faults === null) return null;
  return faults.map(({ path, message }) => ({ path: path === '' ? `${key}` : `${key}.${path}`, message }));
}

/** The fault in words. */
export function inWords({ path, message }: Fault): string {
  const text = typeof message === 'string' ? message : message();
  return path === '' ? text : `${path}: ${text}`;
}
