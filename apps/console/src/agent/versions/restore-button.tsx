import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../../api/client.js';
import { fieldFaultsOf } from '../../api/form-faults.js';
import type { AgentVersion } from '../../api/types.js';
import { useMissingScope } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import { Confirm } from '../../ui/confirm.js';
import { FormProblem } from '../../ui/form-problem.js';
import { newestVersionQuery } from '../agent-queries.js';
import { showWarnings } from '../show-warnings.js';

/** Makes the agent what it was in an earlier version, as a new version; only while the newest one is still that. */
export function RestoreButton({
  newest,
  version,
  isDirty,
}: {
  readonly newest: AgentVersion;
  readonly version: number;
  readonly isDirty: boolean;
}) {
  const queries = useQueryClient();
  const missingScope = useMissingScope('agents:write');
  const [isAsking, setIsAsking] = useState(false);
  const { id, name } = newest;
  const restoring = useMutation({
    mutationFn: ({ to, over }: { readonly to: number; readonly over: number }) =>
      answerOf(
        api.POST('/api/agents/{id}/versions/{version}/restore/', {
          params: {
            path: { id, version: to },
            header: { 'If-Match': `"${over}"`, ...newIdempotencyKey() },
          },
        }),
      ),
    onSuccess: async ({ warnings }, { to, over }) => {
      setIsAsking(false);
      showWarnings(warnings);
      await queries.invalidateQueries({ queryKey: ['agents'] });
      const { version: now } = await queries.query(newestVersionQuery(id));
      const undo = { label: 'Undo', onClick: () => restoring.mutate({ to: over, over: now }) };
      if (now === over) toast.info(`Version ${to} is the same as version ${now}`);
      else toast.success(`${name} is version ${to} again, as version ${now}`, { action: undo });
    },
    onError: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  });
  return (
    <>
      <Button
        unavailable={missingScope ?? (isDirty ? 'Save or discard the changes first' : null)}
        onClick={() => {
          restoring.reset();
          setIsAsking(true);
        }}
      >
        <RotateCcw aria-hidden className="size-3.5" /> Restore …
      </Button>
      {isAsking && (
        <Confirm
          title={`Restore version ${version} of ${name}?`}
          action={`Restore version ${version}`}
          look="primary"
          isPending={restoring.isPending}
          onClose={() => setIsAsking(false)}
          onConfirm={() => restoring.mutate({ to: version, over: newest.version })}
        >
          <p>
            It becomes version {newest.version + 1}. Runs that were accepted before keep the version that they
            had.
          </p>
          <FormProblem error={restoring.error} marked={0} rest={fieldFaultsOf(restoring.error)} />
        </Confirm>
      )}
    </>
  );
}
