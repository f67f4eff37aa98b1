/** A part of a value that a schema refuses. */
export interface Fault {
  /** The field as a model wrote it, `lines.0.amount`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** The faults of a value; null where it fits. */
export type Faults = readonly Fault[] | null;

export function refused(message: string): Faults {
  return [{ path: '', message }];
}

/** The same faults, seen from the value that the part belongs to. */
export function faultsAt(key: string | number, faults: Faults): Faults {
  if (faults === null) return null;
  return faults.map(({ path, message }) => ({ path: path === '' ? `${key}` : `${key}.${path}`, message }));
}
