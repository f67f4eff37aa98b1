import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { faultsAt, fieldFaultsOf } from '../api/form-faults.js';
import type { ToolServer } from '../api/types.js';
import { Button } from '../ui/button.js';
import { CopyButton } from '../ui/copy-button.js';
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
  return (
    <Dialog label="Connect a user" onClose={onClose}>
      <DialogTitle onClose={onClose}>Connect a user</DialogTitle>
      <div className="flex flex-col gap-4 overflow-y-auto p-4">
        <Field label="Server" faults={faultsAt(faults, 'server_id')}>
          {(ids) => (
            <Select {...ids} value={serverId} onChange={({ target }) => setServerId(target.value)}>
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
            <Input {...ids} value={user} maxLength={200} onChange={({ target }) => setUser(target.value)} />
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
          <div>
            <p className="flex items-center gap-1">
              The browser of just this user has to open this address within ten minutes:
              <CopyButton text={beginning.data.authorize_url} label="Copy the address" />
            </p>
            <Command text={beginning.data.authorize_url} />
          </div>
        )}
      </div>
    </Dialog>
  );
}
