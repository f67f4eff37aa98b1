import type { DomainList, DomainRoute } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { pageExample, pageQuerySchema, pageSchema, toPage, type Page } from '../http/page.js';

/** Turns a domain's list into a route with the paging of all lists. */
export function toListRoute(list: DomainList<EntityManager>): DomainRoute<EntityManager> {
  const { path, operation, tag, summary, description, scope, row, params, problems } = list;
  const query = pageQuerySchema(list.key);
  return {
    ...{ method: 'GET', path, operation, tag, summary, description, scope, query },
    ...(params !== undefined && { params }),
    ...(problems !== undefined && { problems }),
    answer: {
      name: `${row.name}Page`,
      schema: pageSchema(row.schema),
      example: pageExample(row.example),
      status: 200,
      description: 'One page of the list.',
    },
    handle: async (request, dependencies): Promise<Page<unknown>> => {
      const { tenantId, params: asked } = request;
      const { limit, cursor } = request.query as ReturnType<(typeof query)['parse']>;
      // One extra row shows whether there is another page.
      const read = await list.read(
        { tenantId, params: asked, after: cursor ?? null, limit: limit + 1 },
        dependencies,
      );
      return toPage({ rows: read.slice(0, limit), hasMore: read.length > limit }, (one) => list.keyOf(one));
    },
  };
}
