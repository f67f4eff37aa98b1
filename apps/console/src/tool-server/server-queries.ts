import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import { ApiProblem } from '../api/problem.js';
import type { ToolServer } from '../api/types.js';

/** A tool server with the `ETag` of this version of it. */
export interface TaggedServer {
  readonly server: ToolServer;
  readonly tag: string;
}

/** One tool server, with its document. */
export const toolServerQuery = (id: string) =>
  queryOptions({
    queryKey: ['tool-servers', id],
    queryFn: async ({ signal }): Promise<TaggedServer> => {
      const request = api.GET('/api/mcp-servers/{id}/', { params: { path: { id } }, signal });
      const server = await answerOf(request);
      const tag = (await request).response.headers.get('etag');
      if (tag === null) throw new ApiProblem(0, 'No version', 'The answer names no version.', null, null);
      return { server, tag };
    },
  });
