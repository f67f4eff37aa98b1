import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api } from '../../api/client.js';
import { formFaults } from '../../api/form-faults.js';
import type { Skill } from '../../api/types.js';
import type { Versioned } from '../../api/versioned.js';
import { useMissingScope } from '../../app/session.js';
import { Field, Input, TextArea } from '../../ui/field.js';
import { DeleteButton } from '../parts/delete-button.js';
import { Editor } from '../parts/editor.js';
import { CheckField } from '../parts/check-field.js';
import { useIntention } from '../parts/use-intention.js';
import { useOpen } from '../parts/use-open.js';

export const SKILLS_KEY = ['settings', 'skills'];

const FIELDS = ['name', 'description', 'content'];
const MAX_BYTES = 65_536;
const EMPTY = { name: '', description: '', content: '', is_active: true };
type Draft = typeof EMPTY;

export function SkillForm({ stored }: { readonly stored: Versioned<Skill> | null }) {
  const { close, leave } = useOpen();
  const missingScope = useMissingScope('agents:write');
  const [first] = useState((): Draft => draftOf(stored?.value));
  const [draft, setDraft] = useState(first);
  const saving = useSave(stored);
  const faults = formFaults(saving.error, FIELDS);
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  const bytes = new TextEncoder().encode(draft.content).length;
  return (
    <Editor
      title={stored?.value.name ?? 'New skill'}
      isDirty={JSON.stringify(draft) !== JSON.stringify(first) && !saving.isSuccess}
      isSaving={saving.isPending}
      unavailable={missingScope}
      error={saving.error}
      areFaultsShown={faults.isAllShown}
      saveLabel={stored === null ? 'Create' : 'Save'}
      onSave={() => saving.mutate(draft, { onSuccess: close })}
      onLeave={leave}
      actions={stored === null ? null : <DeleteSkill stored={stored} />}
    >
      <Field
        label="Name"
        hint="1 to 200 letters, digits, _ and -; unique within the tenant."
        faults={faults.at('name')}
      >
        {(ids) => (
          <Input
            {...ids}
            className="font-mono"
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <Field
        label="When to use it"
        hint="All that models see before they read the skill; 1 to 1,000 characters."
        faults={faults.at('description')}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            value={draft.description}
            onChange={({ target }) => change({ description: target.value })}
          />
        )}
      </Field>
      <Field
        label="Instructions"
        hint={
          <span className={bytes > MAX_BYTES ? 'text-failed' : ''}>
            {bytes.toLocaleString('en-US')} of {MAX_BYTES.toLocaleString('en-US')} bytes
          </span>
        }
        faults={faults.at('content')}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={18}
            className="font-mono text-sm"
            value={draft.content}
            onChange={({ target }) => change({ content: target.value })}
          />
        )}
      </Field>
      <CheckField
        label="Active"
        hint="An inactive skill is not listed to models, and they cannot read it."
        checked={draft.is_active}
        onChange={(is_active) => change({ is_active })}
      />
    </Editor>
  );
}

function draftOf(skill: Skill | undefined): Draft {
  if (skill === undefined) return EMPTY;
  const { name, description, content, is_active } = skill;
  return { name, description, content, is_active };
}

function useSave(stored: Versioned<Skill> | null) {
  const queries = useQueryClient();
  const intention = useIntention();
  return useMutation({
    mutationFn: (body: Draft) =>
      stored === null
        ? answerOf(api.POST('/api/skills/', { params: { header: intention.header }, body }))
        : answerOf(
            api.PUT('/api/skills/{id}/', {
              params: { path: { id: stored.value.id }, header: { 'If-Match': stored.version } },
              body,
            }),
          ),
    onSuccess: ({ name }) => {
      toast.success(`${name} is saved`);
      return queries.invalidateQueries({ queryKey: SKILLS_KEY });
    },
    onSettled: intention.onSettled,
  });
}

function DeleteSkill({ stored: { value, version } }: { readonly stored: Versioned<Skill> }) {
  const params = { path: { id: value.id }, header: { 'If-Match': version } };
  return (
    <DeleteButton
      name={value.name}
      listKey={SKILLS_KEY}
      onDelete={() => answerOf(api.DELETE('/api/skills/{id}/', { params }))}
    >
      Agents can no longer read it. It cannot be undone.
    </DeleteButton>
  );
}
