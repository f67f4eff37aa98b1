import { useQuery } from '@tanstack/react-query';
import { faultsAt } from '../../api/form-faults.js';
import { Field, Input, Select, TextArea } from '../../ui/field.js';
import { FormSection } from '../../ui/form-section.js';
import { ProblemNotice } from '../../ui/notice.js';
import { llmsQuery, modelsQuery } from '../agent-queries.js';
import { USECASE_TYPES } from '../draft/agent-draft.js';
import type { SectionProps } from './section-props.js';

const TYPES: Readonly<Record<string, string>> = {
  BASIC_CHAT: 'Chat: the model answers, and calls tools',
  RAG_CHAT: 'Documents: passages are looked up before the model answers',
  CUSTOM: 'Pipeline: fixed steps, in the parameters as JSON',
};

/** Name, type, model and instruction. */
export function GeneralSection({ draft, faults, onChange }: SectionProps) {
  return (
    <>
      <FormSection title="General">
        <Field label="Name" hint="Shown to people. 1 to 100 characters." faults={faultsAt(faults, 'name')}>
          {(ids) => (
            <Input
              {...ids}
              value={draft.name}
              maxLength={100}
              required
              className="max-w-md"
              onChange={({ target }) => onChange({ name: target.value })}
            />
          )}
        </Field>
        <Field label="Type" faults={faultsAt(faults, 'usecase_type')}>
          {(ids) => (
            <Select
              {...ids}
              value={draft.usecase_type}
              className="max-w-lg"
              onChange={({ target }) => onChange({ usecase_type: target.value })}
            >
              {[...new Set([...USECASE_TYPES, draft.usecase_type])].map((type) => (
                <option key={type} value={type}>
                  {TYPES[type] ?? type}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <ModelField draft={draft} faults={faults} onChange={onChange} />
      </FormSection>
      <FormSection
        title="Instruction"
        about="The system prompt, sent before every conversation. A conversation keeps the one that it began with."
      >
        <Field
          label="Instruction"
          hint={`${draft.system_prompt.length.toLocaleString('en-US')} of 100,000 characters.`}
          faults={faultsAt(faults, 'system_prompt')}
        >
          {(ids) => (
            <TextArea
              {...ids}
              value={draft.system_prompt}
              rows={10}
              placeholder="You answer questions about …"
              className="w-full"
              onChange={({ target }) => onChange({ system_prompt: target.value })}
            />
          )}
        </Field>
      </FormSection>
    </>
  );
}

function ModelField({ draft, faults, onChange }: Pick<SectionProps, 'draft' | 'faults' | 'onChange'>) {
  const llms = useQuery(llmsQuery);
  const models = useQuery(modelsQuery);
  if (llms.isError) {
    return (
      <ProblemNotice
        error={llms.error}
        title="The model configurations could not be read"
        onRetry={() => void llms.refetch()}
      />
    );
  }
  const chosen = llms.data?.find(({ id }) => id === draft.llm);
  const model = models.data?.data.find(
    ({ id, provider }) => id === chosen?.model && provider === chosen.provider,
  );
  const hint =
    chosen === undefined
      ? 'Which model answers, at which provider, with which key.'
      : `${chosen.provider}, ${
          model === undefined
            ? 'context unknown'
            : `context of ${model.context_size.toLocaleString('en-US')} tokens`
        }.`;
  return (
    <Field label="Model configuration" hint={hint} faults={faultsAt(faults, 'llm')}>
      {(ids) => (
        <Select
          {...ids}
          value={draft.llm ?? ''}
          className="max-w-md"
          onChange={({ target }) => onChange({ llm: target.value === '' ? null : Number(target.value) })}
        >
          {draft.llm === null && <option value="">Choose one …</option>}
          {draft.llm !== null && llms.data !== undefined && chosen === undefined && (
            <option value={draft.llm}>Configuration {draft.llm}, which is not there</option>
          )}
          {llms.data
            ?.filter(({ id, is_active: isActive }) => isActive || id === draft.llm)
            .map(({ id, name, model: modelName, is_active: isActive }) => (
              <option key={id} value={id}>
                {name}: {modelName}
                {isActive ? '' : ' (inactive)'}
              </option>
            ))}
        </Select>
      )}
    </Field>
  );
}
