import { useState } from 'react';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.js';
import { formFaults } from '../../api/form-faults.js';
import { consoleSessionQuery } from '../../api/console-session.js';
import { useMissingScope } from '../../app/session.js';
import { Faults } from '../../ui/faults.js';
import { Field, Input } from '../../ui/field.js';
import { Editor } from '../parts/editor.js';
import { CheckField } from '../parts/check-field.js';
import { SecretOnce } from '../parts/secret-once.js';
import { useIntention } from '../parts/use-intention.js';
import { useOpen } from '../parts/use-open.js';
import { SCOPES, SCOPE_NAMES, type Scope } from './scopes.js';

const FIELDS = ['name', 'scopes', 'tenant_id', 'expires_at'];

/** Makes a new key, whose secret is shown once. */
export function KeyForm() {
  const { close, leave } = useOpen();
  const queries = useQueryClient();
  const missingAdmin = useMissingScope('admin');
  const { data: caller } = useSuspenseQuery(consoleSessionQuery);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [tenant, setTenant] = useState('');
  const [expires, setExpires] = useState('');
  const intention = useIntention();
  const creating = useMutation({
    gcTime: 0,
    mutationFn: () =>
      answerOf(
        api.POST('/api/api-keys/', {
          params: { header: intention.header },
          body: {
            ...{ name, scopes: [...scopes] },
            expires_at: expires === '' ? null : new Date(expires).toISOString(),
            ...(tenant.trim() === '' ? {} : { tenant_id: tenant.trim() }),
          },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['settings', 'api-keys'] }),
    onSettled: intention.onSettled,
  });
  const faults = formFaults(creating.error, FIELDS);
  const toggle = (scope: Scope, isOn: boolean): void =>
    setScopes(SCOPE_NAMES.filter((each) => (each === scope ? isOn : scopes.includes(each))));
  return (
    <>
      <Editor
        title="New API key"
        isDirty={!creating.isSuccess && (name !== '' || scopes.length > 0)}
        isSaving={creating.isPending}
        unavailable={missingAdmin}
        error={creating.error}
        areFaultsShown={faults.isAllShown}
        saveLabel="Create the key"
        onSave={() => creating.mutate()}
        onLeave={leave}
      >
        <Field label="Name" hint="Its purpose, for people; 1 to 100 characters." faults={faults.at('name')}>
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              value={name}
              maxLength={100}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">Scopes</legend>
          <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
            {SCOPE_NAMES.map((scope) => (
              <CheckField
                key={scope}
                label={<span className="font-mono text-sm">{scope}</span>}
                hint={
                  caller !== null && !caller.scopes.includes(scope)
                    ? 'This key cannot pass on a scope that it does not have'
                    : SCOPES[scope]
                }
                checked={scopes.includes(scope)}
                disabled={caller !== null && !caller.scopes.includes(scope)}
                onChange={(isOn) => toggle(scope, isOn)}
              />
            ))}
          </div>
          <div role="alert">
            <Faults faults={faults.at('scopes')} />
          </div>
        </fieldset>
        <Field
          label="Tenant"
          hint={`Tenant that it acts for, such as acme or acme:mara; ${caller?.tenant_id ?? 'that of the request'} when left empty.`}
          faults={faults.at('tenant_id')}
        >
          {(ids) => <Input {...ids} value={tenant} onChange={({ target }) => setTenant(target.value)} />}
        </Field>
        <Field
          label="Expires"
          hint="Time of this browser; when left empty, it is good until it is revoked."
          faults={faults.at('expires_at')}
        >
          {(ids) => (
            <Input
              {...ids}
              type="datetime-local"
              className="w-60"
              value={expires}
              onChange={({ target }) => setExpires(target.value)}
            />
          )}
        </Field>
      </Editor>
      {creating.data !== undefined && (
        <SecretOnce
          title={`The key ${creating.data.name}`}
          secret={creating.data.key}
          onClose={() => {
            creating.reset();
            close();
          }}
        >
          <p className="text-muted">
            Send it as <code className="font-mono text-sm">Authorization: Bearer …</code>
          </p>
        </SecretOnce>
      )}
    </>
  );
}
