import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import type { Decision } from '../api/types.js';
import { readPerson } from './person.js';

/** Decides over one waiting call of a run. A refused decision stays where it was made, with the reason. */
export function useDecide(executionId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decision: Decision) => {
      const person = readPerson();
      return answerOf(
        api.POST('/api/executions/{id}/approvals/', {
          params: { path: { id: executionId }, header: newIdempotencyKey() },
          body: { decisions: [decision], ...(person === '' ? {} : { person }) },
        }),
      );
    },
    onSuccess: (_execution, decision) => toast.success(wordsOf(decision)),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['waiting-runs'] }),
        queries.invalidateQueries({ queryKey: ['run', executionId] }),
      ]),
  });
}

function wordsOf({ approved, outcome, call }: Decision): string {
  if (outcome !== undefined) return `Outcome of call ${call} recorded: ${outcome.replaceAll('_', ' ')}`;
  return approved === true ? `Call ${call} approved` : `Call ${call} refused`;
}
