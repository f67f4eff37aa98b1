/** The parts of an OpenAPI document that are looked at here. */
export interface OpenapiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type PathItem = Readonly<Record<string, { readonly tags?: readonly string[] }>>;

/** Beginning of the description of a tag that a domain adds. */
const OF_DOMAIN = 'Part of the domain ';

/** The document without the routes of domains, and without the schemas that only these name. Pure. */
export function withoutDomains(document: OpenapiDocument): OpenapiDocument {
  const domains = new Set(
    document.tags.filter(({ description }) => description.startsWith(OF_DOMAIN)).map(({ name }) => name),
  );
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(
      ([, item]) => !Object.values(item).some((operation) => isOf(domains, operation)),
    ),
  );
  const { schemas = {}, ...others } = document.components;
  const rest = { ...document, paths, components: others };
  const named = schemasNamedBy(rest, schemas);
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => named.has(name)));
  return { ...rest, components: { ...others, schemas: kept } };
}

function isOf(tags: ReadonlySet<string>, operation: { readonly tags?: readonly string[] }): boolean {
  return operation.tags?.some((tag) => tags.has(tag)) ?? false;
}

/** Names of the schemas that a value refers to, also through other schemas. */
function schemasNamedBy(value: unknown, schemas: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const named = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (named.has(name) || !(name in schemas)) continue;
      named.add(name);
      visit(schemas[name]);
    }
  };
  visit(value);
  return named;
}
