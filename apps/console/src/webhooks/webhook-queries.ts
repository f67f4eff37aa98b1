import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import { deliveryQueryOf, type DeliveryFilter } from './webhooks-search.js';

const PAGE = 50;
const ENDPOINTS = 100;
const REFRESH_MS = 5_000;

/** Endpoints in pages, oldest first. Their pauses begin and end by themselves. */
export const endpointsQuery = infiniteQueryOptions({
  queryKey: ['webhook-endpoints'],
  refetchInterval: REFRESH_MS,
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: ENDPOINTS, ...(pageParam === null ? {} : { cursor: pageParam }) };
    return answerOf(api.GET('/api/webhook-endpoints/', { params: { query }, signal }));
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }) => next_cursor,
});

export const endpointQuery = (id: number) =>
  queryOptions({
    queryKey: ['webhook-endpoint', id],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/webhook-endpoints/{id}/', { params: { path: { id } }, signal })),
  });

/** Reads one page of the deliveries that match a filter, newest first. @throws {ApiProblem} */
export function readDeliveries(
  filter: DeliveryFilter,
  cursor: string | null,
  signal: AbortSignal,
  limit: number = PAGE,
) {
  const query = { limit, ...deliveryQueryOf(filter, Date.now()), ...(cursor === null ? {} : { cursor }) };
  return answerOf(api.GET('/api/webhook-deliveries/', { params: { query }, signal }));
}

/** A delivery with its body and its attempts. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook-delivery', id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/webhook-deliveries/{id}/', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFRESH_MS / 2 : false),
  });
