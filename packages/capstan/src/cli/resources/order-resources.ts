import { KINDS } from './kinds.js';
import type { Declared, Fault } from './read-resources.js';
import { mentionsOf } from './references.js';

export interface Ordering {
  /** Each after those that it refers to. */
  readonly resources: readonly Declared[];
  readonly faults: readonly Fault[];
}

/** Puts resources in the order in which they can be applied; agents that call each other in a circle are a fault. Pure. */
export function orderResources(declared: readonly Declared[]): Ordering {
  const byKey = new Map(declared.map((resource) => [keyOf(resource), resource]));
  const ordered = new Set<Declared>();
  const faults: Fault[] = [];
  const visit = (resource: Declared, above: readonly Declared[]): void => {
    if (ordered.has(resource)) return;
    if (above.includes(resource)) {
      const circle = [...above.slice(above.indexOf(resource)), resource].map(({ name }) => name);
      faults.push(faultOf(resource, `its references lead back to it: ${circle.join(' → ')}`));
      return;
    }
    for (const { to, value } of mentionsOf(resource.kind, resource.fields)) {
      const other = typeof value === 'string' ? byKey.get(keyOf({ kind: to, name: value })) : undefined;
      if (other !== undefined && other !== resource) visit(other, [...above, resource]);
    }
    ordered.add(resource);
  };
  for (const kind of KINDS) for (const resource of declared) if (resource.kind === kind) visit(resource, []);
  return { resources: [...ordered], faults };
}

function keyOf({ kind, name }: Pick<Declared, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

function faultOf({ file, lineOf }: Declared, detail: string): Fault {
  return { file, line: lineOf([]), field: '', detail };
}
