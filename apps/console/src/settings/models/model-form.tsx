import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api } from '../../api/client.js';
import { formFaults } from '../../api/form-faults.js';
import type { Llm, LlmFields, ModelList } from '../../api/types.js';
import type { Versioned } from '../../api/versioned.js';
import { useMissingScope } from '../../app/session.js';
import { Field, Input, Select, TextArea } from '../../ui/field.js';
import { Editor } from '../parts/editor.js';
import { CheckField } from '../parts/check-field.js';
import { useIntention } from '../parts/use-intention.js';
import { useOpen } from '../parts/use-open.js';
import { CredentialInputs } from './credential-inputs.js';
import { DeleteModel } from './delete-model.js';
import { bodyOf, credentialFields, draftOf, type ModelDraft } from './model-draft.js';
import { LLMS_KEY } from './model-queries.js';
import { Validation } from './validation.js';

interface ModelFormProps {
  readonly list: ModelList;
  readonly stored: Versioned<Llm> | null;
  readonly onLeave: () => void;
}

const FIELDS = ['name', 'provider', 'model', 'credentials', 'settings', 'extra', 'pricing'];

export function ModelForm({ list, stored, onLeave }: ModelFormProps) {
  const { close } = useOpen();
  const missingScope = useMissingScope('agents:write');
  const [first] = useState(() => draftOf(stored?.value ?? null, list));
  const [draft, setDraft] = useState(first);
  const [typedFaults, setTypedFaults] = useState<Readonly<Record<string, string>>>({});
  const saving = useSave(stored);
  const change = (changed: Partial<ModelDraft>): void => setDraft((before) => ({ ...before, ...changed }));
  const fields = credentialFields(list, draft.provider);
  const faults = formFaults(saving.error, FIELDS);
  const faultsOf = (name: string): readonly string[] => {
    const typed = typedFaults[name];
    return typed === undefined ? faults.at(name) : [typed];
  };
  const save = (): void => {
    const result = bodyOf(draft, fields);
    setTypedFaults(result.kind === 'faults' ? result.faults : {});
    if (result.kind === 'body') saving.mutate(result.body, { onSuccess: close });
  };
  const isDirty = JSON.stringify(draft) !== JSON.stringify(first);
  return (
    <Editor
      title={stored?.value.name ?? 'New model configuration'}
      isDirty={isDirty && !saving.isSuccess}
      isSaving={saving.isPending}
      unavailable={missingScope}
      error={saving.error}
      ownFaults={typedFaults}
      areFaultsShown={faults.isAllShown}
      saveLabel={stored === null ? 'Create' : 'Save'}
      onSave={save}
      onLeave={onLeave}
      actions={stored === null ? null : <DeleteModel stored={stored} />}
    >
      {stored !== null && <Validation id={stored.value.id} isDirty={isDirty} />}
      <Field label="Name" hint="1 to 100 characters, for people." faults={faultsOf('name')}>
        {(ids) => (
          <Input {...ids} value={draft.name} onChange={({ target }) => change({ name: target.value })} />
        )}
      </Field>
      <Field
        label="Provider"
        hint={
          stored !== null && stored.value.provider !== draft.provider
            ? 'The stored key is deleted: it belongs to the provider before.'
            : undefined
        }
        faults={faultsOf('provider')}
      >
        {(ids) => (
          <Select
            {...ids}
            value={draft.provider}
            onChange={({ target }) => change({ provider: target.value })}
          >
            {list.providers.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Model"
        hint="Its id as the provider knows it; one of the catalogue, or any other."
        faults={faultsOf('model')}
      >
        {(ids) => (
          <>
            <Input
              {...ids}
              className="font-mono"
              list="known-models"
              value={draft.model}
              onChange={({ target }) => change({ model: target.value })}
            />
            <datalist id="known-models">
              {list.data
                .filter(({ provider }) => provider === draft.provider)
                .map(({ id, label }) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
            </datalist>
          </>
        )}
      </Field>
      <CredentialInputs
        fields={fields}
        draft={draft}
        hint={stored?.value.provider === draft.provider ? stored.value.api_key_hint : null}
        faultsOf={faultsOf}
        onChange={change}
      />
      <JsonInput
        label="Parameters"
        hint="JSON; parameters of the agent and of a request win over them."
        placeholder='{"temperature": 0.2}'
        text={draft.extra}
        faults={faultsOf('extra')}
        onChange={(extra) => change({ extra })}
      />
      <JsonInput
        label="Prices"
        hint="JSON in US dollars per million tokens; those of the catalogue when left empty."
        placeholder='{"currency": "USD", "input": "0.25", "cached_input": "0.025", "output": "2", "as_of": "2026-05-13"}'
        text={draft.pricing}
        faults={faultsOf('pricing')}
        onChange={(pricing) => change({ pricing })}
      />
      <CheckField
        label="Active"
        hint="Agents cannot use an inactive configuration."
        checked={draft.isActive}
        onChange={(isActive) => change({ isActive })}
      />
    </Editor>
  );
}

function JsonInput(props: {
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly text: string;
  readonly faults: readonly string[];
  readonly onChange: (text: string) => void;
}) {
  return (
    <Field label={props.label} hint={props.hint} faults={props.faults}>
      {(ids) => (
        <TextArea
          {...ids}
          rows={3}
          spellCheck={false}
          className="font-mono text-sm"
          placeholder={props.placeholder}
          value={props.text}
          onChange={({ target }) => props.onChange(target.value)}
        />
      )}
    </Field>
  );
}

function useSave(stored: Versioned<Llm> | null) {
  const queries = useQueryClient();
  const intention = useIntention();
  return useMutation({
    // The body may hold a key.
    gcTime: 0,
    mutationFn: (body: LlmFields) =>
      stored === null
        ? answerOf(api.POST('/api/llms/', { params: { header: intention.header }, body }))
        : answerOf(
            api.PATCH('/api/llms/{id}/', {
              params: { path: { id: stored.value.id }, header: { 'If-Match': stored.version } },
              body,
            }),
          ),
    onSuccess: ({ name }) => {
      toast.success(`${name} is saved`);
      return queries.invalidateQueries({ queryKey: LLMS_KEY });
    },
    onSettled: intention.onSettled,
  });
}
