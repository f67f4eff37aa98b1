import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.js';
import { versionedAnswerOf } from '../../api/versioned.js';

export const LLMS_KEY = ['settings', 'llms'];

/** Providers and known models. */
export const modelListQuery = queryOptions({
  queryKey: ['models'],
  staleTime: 5 * 60_000,
  queryFn: ({ signal }) => answerOf(api.GET('/api/models/', { signal })),
});

/** One configuration with its version; read anew each time that it is opened. */
export const llmQuery = (id: number) =>
  queryOptions({
    queryKey: [...LLMS_KEY, 'one', id],
    ...{ gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false },
    queryFn: ({ signal }) =>
      versionedAnswerOf(api.GET('/api/llms/{id}/', { params: { path: { id } }, signal })),
  });
