import { ApiError } from '../../client/index.js';
import { KINDS, ownedKey, type Fields, type Kind, type Listed, type ResourceRequests } from './kinds.js';
import type { Declared, Fault } from './read-resources.js';
import { mentionsOf, withReferences } from './references.js';

/** The fate of one resource. */
export interface Step {
  readonly kind: Kind;
  readonly name: string;
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'deleted';
  readonly changed_fields: readonly string[];
  /** Null where it is deleted. */
  readonly file: string | null;
  readonly line: number | null;
  readonly id: number | string | null;
}

/** Resources of the service by kind and name; names that several have are left out. */
export class KnownResources {
  private readonly ids = new Map<string, number | string | null>();

  static async read(requests: ResourceRequests): Promise<KnownResources> {
    const known = new KnownResources();
    for (const kind of KINDS) for (const { id, name } of await requests.list(kind)) known.add(kind, name, id);
    return known;
  }

  /** Undefined where there is none, null where there are several. */
  idOf(kind: Kind, name: string): number | string | null | undefined {
    return this.ids.get(`${kind} ${name}`);
  }

  nameOf(kind: Kind, id: unknown): string | undefined {
    for (const [key, known] of this.ids)
      if (known === id && key.startsWith(`${kind} `)) return key.slice(kind.length + 1);
    return undefined;
  }

  add(kind: Kind, name: string, id: number | string): void {
    const key = `${kind} ${name}`;
    this.ids.set(key, this.ids.has(key) && this.ids.get(key) !== id ? null : id);
  }

  all(): (Listed & { readonly kind: Kind })[] {
    return [...this.ids].flatMap(([key, id]) => {
      const [kind = ''] = key.split(' ');
      return id === null ? [] : [{ kind: kind as Kind, id, name: key.slice(kind.length + 1) }];
    });
  }
}

/** Names that neither files nor the service have, and those that several resources of the service have. */
export function findUnknownNames(resources: readonly Declared[], known: KnownResources): Fault[] {
  const declared = new Set(resources.map(({ kind, name }) => `${kind} ${name}`));
  return resources.flatMap(({ kind, fields, file, lineOf }) =>
    mentionsOf(kind, fields).flatMap(({ path, to, value }) => {
      if (typeof value !== 'string' || declared.has(`${to} ${value}`)) return [];
      const id = known.idOf(to, value);
      if (id !== undefined && id !== null) return [];
      const detail =
        id === null ? `several are called "${value}": give the id` : `there is no ${to} "${value}"`;
      return [{ file, line: lineOf(path), field: path.join('.'), detail }];
    }),
  );
}

/** Asks the service what each resource would become, and changes nothing; faults are those that it refuses. */
export async function planResources(
  resources: readonly Declared[],
  requests: ResourceRequests,
  known: KnownResources,
): Promise<{ readonly steps: readonly Step[]; readonly faults: readonly Fault[] }> {
  const steps: Step[] = [];
  const faults: Fault[] = [];
  for (const resource of resources) {
    const missing = mentionsOf(resource.kind, resource.fields).filter(
      ({ to, value }) => typeof value === 'string' && known.idOf(to, value) === undefined,
    );
    if (missing.length > 0) {
      // The service cannot judge a resource before those that it refers to are there.
      const id = known.idOf(resource.kind, resource.name) ?? null;
      const fields = [...new Set(missing.map(({ path }) => String(path[0])))];
      steps.push(stepOf(resource, id === null ? 'created' : 'changed', id === null ? [] : fields, id));
      continue;
    }
    const asked = await askAbout(resource, { ...bodyOf(resource, known), dry_run: true }, requests);
    if (Array.isArray(asked)) faults.push(...asked);
    else steps.push(asked);
  }
  return { steps, faults };
}

/** Applies one resource; answers its step, or the faults that the service refuses it for. */
export async function applyResource(
  resource: Declared,
  requests: ResourceRequests,
  known: KnownResources,
  managedBy: string,
): Promise<Step | Fault[]> {
  const step = await askAbout(resource, { ...bodyOf(resource, known), managed_by: managedBy }, requests);
  if (!Array.isArray(step) && step.id !== null) known.add(resource.kind, resource.name, step.id);
  return step;
}

/** Resources of the set that no file describes, those first that refer to others. */
export async function planPrune(
  resources: readonly Declared[],
  requests: ResourceRequests,
  known: KnownResources,
  managedBy: string,
): Promise<Step[]> {
  const owned = await requests.listOwned(managedBy);
  const declared = new Set(resources.map(({ kind, name }) => `${kind} ${name}`));
  const gone = known
    .all()
    .filter(({ kind, id, name }) => owned.has(ownedKey(kind, id)) && !declared.has(`${kind} ${name}`));
  return gone
    .sort((one, other) => KINDS.indexOf(other.kind) - KINDS.indexOf(one.kind))
    .map(({ kind, name, id }) => ({
      ...{ kind, name, outcome: 'deleted' as const, changed_fields: [], file: null, line: null, id },
    }));
}

function bodyOf({ kind, fields }: Declared, known: KnownResources): Fields {
  return withReferences(kind, fields, ({ to, value }) =>
    typeof value === 'string' ? (known.idOf(to, value) ?? undefined) : undefined,
  );
}

async function askAbout(
  resource: Declared,
  body: Fields,
  requests: ResourceRequests,
): Promise<Step | Fault[]> {
  try {
    const applied = await requests.apply(resource.kind, resource.name, body);
    return stepOf(resource, applied.outcome, applied.changed_fields, applied.resource?.id ?? null);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && ![401, 403, 429].includes(error.status))
      return faultsOf(resource, error);
    throw error;
  }
}

/** Faults of a refusal, each at its line. */
function faultsOf({ file, lineOf }: Declared, error: ApiError): Fault[] {
  const faults = error.errors.map((fault) => {
    const path = 'pointer' in fault && typeof fault.pointer === 'string' ? pathOf(fault.pointer) : [];
    const isOfName = 'parameter' in fault && fault.parameter === 'name';
    const place = isOfName ? ['name'] : path;
    return { file, line: lineOf(place), field: place.join('.'), detail: fault.detail };
  });
  return faults.length > 0 ? faults : [{ file, line: lineOf([]), field: '', detail: error.message }];
}

/** Path of a JSON pointer of a problem, such as `#/config/steps/0`. */
function pathOf(pointer: string): (string | number)[] {
  return pointer
    .replace(/^#?\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function stepOf(
  { kind, name, file, lineOf }: Declared,
  outcome: Step['outcome'],
  changed: readonly string[],
  id: Step['id'],
): Step {
  return { kind, name, outcome, changed_fields: changed, file, line: lineOf([]), id };
}
