import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api } from '../../api/client.js';
import { formFaults } from '../../api/form-faults.js';
import type { Tenant } from '../../api/types.js';
import type { Versioned } from '../../api/versioned.js';
import { useMissingScope } from '../../app/session.js';
import { Field, Input, Select, TextArea } from '../../ui/field.js';
import { Editor } from '../parts/editor.js';
import { CheckField } from '../parts/check-field.js';
import { useIntention } from '../parts/use-intention.js';
import { useOpen } from '../parts/use-open.js';
import { bodyOf, draftOf, type TenantDraft } from './tenant-draft.js';

export const TENANTS_KEY = ['settings', 'tenants'];

const NUMBERS: readonly {
  readonly name: 'queued' | 'characters' | 'tokens' | 'days' | 'titleLlm';
  readonly field: string;
  readonly label: string;
  readonly hint: string;
}[] = [
  {
    ...{ name: 'queued', field: 'settings/limits/queued_executions', label: 'Runs that may wait at once' },
    hint: '0 or more; that of the service when left empty.',
  },
  {
    ...{ name: 'characters', field: 'settings/limits/input_characters', label: 'Characters of one input' },
    hint: '1 or more; that of the service when left empty.',
  },
  {
    ...{
      name: 'tokens',
      field: 'settings/limits/tokens_per_execution',
      label: 'Tokens that one run may spend',
    },
    hint: '1 or more; no limit when left empty. A smaller budget of the run wins.',
  },
  {
    ...{ name: 'days', field: 'settings/retention/days', label: 'Days that a session is kept' },
    hint: '1 to 36,500 days after its last turn; for ever when left empty.',
  },
  {
    ...{ name: 'titleLlm', field: 'settings/title_llm', label: 'Model configuration for titles' },
    hint: 'Its id; that of the service when left empty.',
  },
];
const FIELDS = ['id', 'name', 'status', 'system_prompt', ...NUMBERS.map(({ field }) => field)];

export function TenantForm({ stored }: { readonly stored: Versioned<Tenant> | null }) {
  const { close, leave } = useOpen();
  const missingAdmin = useMissingScope('admin');
  const [first] = useState(() => draftOf(stored?.value ?? null));
  const [draft, setDraft] = useState(first);
  const saving = useSave(stored);
  const faults = formFaults(saving.error, FIELDS);
  const change = (changed: Partial<TenantDraft>): void => setDraft((before) => ({ ...before, ...changed }));
  return (
    <Editor
      title={stored?.value.name ?? 'New tenant'}
      isDirty={JSON.stringify(draft) !== JSON.stringify(first) && !saving.isSuccess}
      isSaving={saving.isPending}
      unavailable={missingAdmin}
      error={saving.error}
      areFaultsShown={faults.isAllShown}
      saveLabel={stored === null ? 'Create' : 'Save'}
      onSave={() => saving.mutate(draft, { onSuccess: close })}
      onLeave={leave}
    >
      {stored === null ? (
        <Field label="Id" hint="1 to 64 letters, digits, _ and -; it never changes." faults={faults.at('id')}>
          {(ids) => (
            <Input
              {...ids}
              className="font-mono"
              value={draft.id}
              onChange={({ target }) => change({ id: target.value })}
            />
          )}
        </Field>
      ) : (
        <p className="text-muted">
          Id <span className="font-mono text-sm text-ink">{stored.value.id}</span>
        </p>
      )}
      <Field label="Name" hint="1 to 200 characters, for people." faults={faults.at('name')}>
        {(ids) => (
          <Input {...ids} value={draft.name} onChange={({ target }) => change({ name: target.value })} />
        )}
      </Field>
      <CheckField
        label="Active"
        hint="An inactive tenant runs nothing; what it has stays readable."
        checked={draft.isActive}
        onChange={(isActive) => change({ isActive })}
      />
      <Field
        label="System prompt"
        hint="Stands before the prompt of each of its agents; at most 100,000 characters."
        faults={faults.at('system_prompt')}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={5}
            value={draft.prompt}
            onChange={({ target }) => change({ prompt: target.value })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        {NUMBERS.map(({ name, field, label, hint }) => (
          <Field key={name} label={label} hint={hint} faults={faults.at(field)}>
            {(ids) => (
              <Input
                {...ids}
                inputMode="numeric"
                value={draft[name]}
                onChange={({ target }) => change({ [name]: target.value })}
              />
            )}
          </Field>
        ))}
        <Field label="Tool servers of an agent that names none">
          {(ids) => (
            <Select
              {...ids}
              value={draft.toolServers}
              onChange={({ target }) => change({ toolServers: target.value === 'all' ? 'all' : 'named' })}
            >
              <option value="named">none</option>
              <option value="all">every active one of the tenant</option>
            </Select>
          )}
        </Field>
      </div>
      <CheckField
        label="List the files of the session in the prompt"
        checked={draft.listsFiles}
        onChange={(listsFiles) => change({ listsFiles })}
      />
    </Editor>
  );
}

function useSave(stored: Versioned<Tenant> | null) {
  const queries = useQueryClient();
  const intention = useIntention();
  return useMutation({
    mutationFn: (draft: TenantDraft) =>
      stored === null
        ? answerOf(
            api.POST('/api/tenants/', {
              params: { header: intention.header },
              body: { id: draft.id, ...bodyOf(draft) },
            }),
          )
        : answerOf(
            api.PATCH('/api/tenants/{id}/', {
              params: { path: { id: stored.value.id }, header: { 'If-Match': stored.version } },
              body: bodyOf(draft),
            }),
          ),
    onSuccess: ({ name }) => {
      toast.success(`${name} is saved`);
      return queries.invalidateQueries({ queryKey: TENANTS_KEY });
    },
    onSettled: intention.onSettled,
  });
}
