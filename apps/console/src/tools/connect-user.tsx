import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { faultsAt, fieldFaultsOf } from '../api/form-faults.js';
import type { ToolServer } from '../api/types.js';
import { Button } from '../ui/button.js';
import { copyInDialog } from '../ui/copy-button.js';
import { Dialog, DialogTitle } from '../ui/dialog.js';
import { Field, Input, Select } from '../ui/field.js';
import { Command, ProblemNotice } from '../ui/notice.js';

/** Begins the consent of a user, and shows the address that their browser has to open. */
export function ConnectUser({
  servers,
  onClose,
}: {
  readonly servers: readonly ToolServer[];
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const [serverId, setServerId] = useState(servers[0]?.id ?? '');
  const [user, setUser] = useState('');
  const [outcome, setOutcome] = useState<string | null>(null);
  const beginning = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/api/connections/', {
          params: { header: newIdempotencyKey() },
          body: { server_id: serverId, user_id: user.trim() },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['connections'] }),
  });
  const faults = fieldFaultsOf(beginning.error);
  /** The address shown is that of one user and server, and goes when another is named. */
  const forget = (): void => {
    beginning.reset();
    setOutcome(null);
  };
  return (
    <Dialog label="Connect a user" onClose={onClose}>
      <DialogTitle onClose={onClose}>Connect a user</DialogTitle>
      <div className="flex flex-col gap-4 overflow-y-auto p-4">
        <Field label="Server" faults={faultsAt(faults, 'server_id')}>
          {(ids) => (
            <Select
              {...ids}
              value={serverId}
              onChange={({ target }) => {
                setServerId(target.value);
                forget();
              }}
            >
              {servers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="User"
          hint="executor.user_id of the requests that are made on their behalf."
          faults={faultsAt(faults, 'user_id')}
        >
          {(ids) => (
            <Input
              {...ids}
              value={user}
              maxLength={200}
              onChange={({ target }) => {
                setUser(target.value);
                forget();
              }}
            />
          )}
        </Field>
        <Button
          look="primary"
          className="self-start"
          disabled={user.trim() === '' || beginning.isPending}
          onClick={() => beginning.mutate()}
        >
          Begin
        </Button>
        {beginning.isError && <ProblemNotice error={beginning.error} />}
        {beginning.data !== undefined && (
          <div className="flex flex-col gap-2">
            <p className="wrap-anywhere">
              The browser of just this user, <bdi>{user.trim()}</bdi>, has to open this address within ten
              minutes:
            </p>
            <Command text={beginning.data.authorize_url} />
            <div className="flex flex-wrap items-center gap-2">
              <Button onClick={() => void copyInDialog(beginning.data.authorize_url).then(setOutcome)}>
                Copy the address
              </Button>
              <span role="status" className="text-muted">
                {outcome}
              </span>
            </div>
          </div>
        )}
      </div>
    </Dialog>
  );
}
