import { problemOf } from '../../api/problem.js';

/** Faults of a refused request, for the form that made it. */
export interface FormFaults {
  /** Text of the fault of a field, null without one; a path such as `settings/limits` includes what is within it. */
  readonly at: (path: string) => string | null;
  /** Whether every fault is of one of the fields of the form. */
  readonly areAllIn: (paths: readonly string[]) => boolean;
}

/** Sorts the faults that a problem names by the fields of the body. Pure. */
export function faultsOf(error: unknown): FormFaults {
  const faults = error === null || error === undefined ? [] : problemOf(error).faults.map(parted);
  return {
    at: (path) => {
      const found = faults.find((fault) => isWithin(fault.path, path));
      if (found === undefined) return null;
      const inner = found.path.slice(path.length + 1);
      return inner === '' ? found.detail : `${inner}: ${found.detail}`;
    },
    areAllIn: (paths) =>
      faults.length > 0 && faults.every((fault) => paths.some((path) => isWithin(fault.path, path))),
  };
}

/** Parts a line such as `#/credentials/api_base: must be an address`. */
function parted(line: string): { readonly path: string; readonly detail: string } {
  const { path = '', detail = line } = /^#?\/?(?<path>\S*?): (?<detail>.*)$/s.exec(line)?.groups ?? {};
  return { path, detail };
}

const isWithin = (inner: string, path: string): boolean => inner === path || inner.startsWith(`${path}/`);
