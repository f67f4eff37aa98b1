import { stringify } from 'yaml';
import { KIND_OF, KINDS, type Fields, type Kind, type Listed, type ResourceRequests } from './kinds.js';
import { KnownResources } from './plan-resources.js';
import { withReferences } from './references.js';

/** A resource as a file would describe it. */
export interface Exported {
  readonly kind: Kind;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Reads the resources of these kinds as files describe them: names for ids, and no secret. */
export async function* exportResources(
  requests: ResourceRequests,
  kinds: readonly Kind[],
): AsyncGenerator<Exported, void, undefined> {
  const known = await KnownResources.read(requests);
  for (const kind of KINDS.filter((each) => kinds.includes(each)))
    for (const { id } of await requests.list(kind))
      yield toDocument(kind, await requests.read(kind, id), known);
}

/** Pure. */
function toDocument(kind: Kind, resource: Fields & Listed, known: Pick<KnownResources, 'nameOf'>): Exported {
  const { id: _id, name, ...rest } = resource;
  const fields = Object.entries(rest).filter(([field]) => !KIND_OF[kind].readOnly.includes(field));
  const named = withReferences(kind, Object.fromEntries(fields), ({ to, value }) => known.nameOf(to, value));
  return { kind, name, ...named };
}

/** One document of a file. Pure. */
export function toYaml(exported: Exported): string {
  return `---\n${stringify(exported, { lineWidth: 0 })}`;
}
