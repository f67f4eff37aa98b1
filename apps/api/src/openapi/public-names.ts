import type { OpenAPIObject } from '@nestjs/swagger';

/** Restores the trailing slashes of the contract, which Nest removes from routes (S3-17). */
export function withLastSlashes(document: OpenAPIObject): OpenAPIObject {
  const paths = renameKeys(document.paths, (path) => (path.startsWith('/api/') ? `${path}/` : path));
  return { ...document, paths };
}

/** Removes the suffixes of class names from schemas, since generated clients take their names. */
export function withPublicNames(document: OpenAPIObject): OpenAPIObject {
  const schemas = renameKeys(document.components?.schemas ?? {}, publicName);
  const text = JSON.stringify({ ...document, components: { ...document.components, schemas } });
  const reference = /"#\/components\/schemas\/(\w+)"/g;
  return JSON.parse(
    text.replaceAll(reference, (_all, name: string) => `"#/components/schemas/${publicName(name)}"`),
  ) as OpenAPIObject;
}

function publicName(name: string): string {
  return name.replace(/(Dto)?(_Output)?$/, '');
}

function renameKeys<Value>(
  record: Readonly<Record<string, Value>>,
  rename: (key: string) => string,
): Record<string, Value> {
  const entries = Object.entries(record).map(([key, value]): [string, Value] => [rename(key), value]);
  const renamed = Object.fromEntries<Value>(entries);
  if (Object.keys(renamed).length !== entries.length)
    throw new Error('two schemas or paths have one public name');
  return renamed;
}
