import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../../api/client.js';
import { toastProblem } from '../../ui/problem-toast.js';

/** Sends a delivery again, with the same id and body. @throws {ApiProblem} */
export const redeliver = (id: string, key: string) =>
  answerOf(
    api.POST('/api/webhook-deliveries/{id}/redeliver/', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
    }),
  );

/** Sends one delivery again, and has what is shown of deliveries read anew. */
export function useRedeliver() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => redeliver(id, newIdempotencyKey()['Idempotency-Key']),
    onSuccess: () => toast.success('It is sent again'),
    onError: toastProblem,
    onSettled: (_delivery, _error, id) => {
      void queries.invalidateQueries({ queryKey: ['webhook-delivery', id] });
      return queries.invalidateQueries({ queryKey: ['webhook-deliveries'] });
    },
  });
}
