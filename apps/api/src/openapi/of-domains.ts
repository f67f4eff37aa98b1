import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;
const REFERENCE = /"#\/components\/(\w+)\/([^"]+)"/g;

/** The document with the operations of these tags, and of the components those that they refer to. Pure. */
export function ofDomains(document: OpenAPIObject, tags: ReadonlySet<string>): OpenAPIObject {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([, item]) =>
      Object.values(item as object).some((operation: { tags?: string[] }) =>
        operation.tags?.some((tag) => tags.has(tag)),
      ),
    ),
  );
  const { components = {} } = document;
  const named = componentsNamedBy(paths, components);
  const kept = Object.entries(components).map(([kind, all]): [string, object] => [
    kind,
    kind === 'securitySchemes' ? (all as object) : pick(all as object, named.get(kind) ?? new Set()),
  ]);
  const { openapi, info, servers = [], security = [] } = document;
  return {
    ...{ openapi, info, servers, security },
    paths,
    components: Object.fromEntries(kept.filter(([, all]) => Object.keys(all).length > 0)),
    tags: document.tags?.filter(({ name }) => tags.has(name)) ?? [],
  };
}

function pick(all: object, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
}

/** Names of components by kind, also those that only other components name. */
function componentsNamedBy(value: unknown, components: Components): ReadonlyMap<string, ReadonlySet<string>> {
  const named = new Map<string, Set<string>>();
  const visit = (part: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      const names = named.get(kind) ?? new Set();
      if (names.has(name)) continue;
      named.set(kind, names.add(name));
      const ofKind = (components as Record<string, Record<string, unknown> | undefined>)[kind];
      visit(ofKind?.[name] ?? null);
    }
  };
  visit(value);
  return named;
}
