import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';

interface ListSchema {
  readonly properties?: { readonly data?: { items?: object } };
}

/**
 * Adds a named schema for the rows of each list, for generated clients: `SessionPage` is a page of `Session`. Rows with
 * fewer fields than the resource are named summaries.
 */
export function withNamedRows(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, object>;
  for (const [list, schema] of Object.entries(schemas)) {
    const data = (schema as ListSchema).properties?.data;
    const thing = /^(\w+)(?:Page|List)$/.exec(list)?.[1];
    if (data?.items === undefined || thing === undefined) continue;
    const { items } = data;
    const name = [thing, `${thing}Summary`].find(
      (candidate) => schemas[candidate] === undefined || isDeepStrictEqual(schemas[candidate], items),
    );
    if (name === undefined) throw new Error(`the rows of ${list} are neither ${thing} nor ${thing}Summary`);
    schemas[name] ??= items;
    data.items = { $ref: `#/components/schemas/${name}` };
  }
  return document;
}
