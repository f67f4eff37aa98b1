import { useState, type ReactNode } from 'react';
import { clsx } from 'clsx';
import { faultsAt, type FieldFault } from '../../api/form-faults.js';
import { Faults } from '../../ui/faults.js';
import { FormSection } from '../../ui/form-section.js';
import { JsonEditor } from '../../ui/json-editor.js';
import { isSameJson, type AgentDraft, type JsonField } from '../draft/agent-draft.js';
import { jsonFaultOf, readJsonObject } from '../../format/json-object.js';

interface TwoViewsProps {
  readonly title: string;
  readonly about: string;
  readonly field: JsonField;
  readonly draft: AgentDraft;
  readonly faults: readonly FieldFault[];
  readonly onChange: (part: Partial<AgentDraft>) => void;
  readonly children: ReactNode;
}

/** A part of the agent that is one JSON object, as a form or as its text; a text that is no JSON keeps the text in view. */
export function TwoViews({ title, about, field, draft, faults, onChange, children }: TwoViewsProps) {
  const [isText, setIsText] = useState(false);
  const isBroken = draft.broken[field] !== null;
  const isShownAsText = isText || isBroken;
  return (
    <FormSection
      title={title}
      about={about}
      actions={
        <div role="group" aria-label={`${title}: view`} className="flex rounded-md border border-line">
          {[false, true].map((asText) => (
            <button
              key={String(asText)}
              type="button"
              aria-pressed={asText === isShownAsText}
              aria-disabled={(!asText && isBroken) || undefined}
              title={!asText && isBroken ? 'The JSON has to be right first' : undefined}
              onClick={() => {
                if (asText || !isBroken) setIsText(asText);
              }}
              className={clsx(
                'h-7 px-2.5 text-sm first:rounded-l-md last:rounded-r-md aria-disabled:opacity-50',
                asText === isShownAsText ? 'bg-accent-soft font-medium' : 'text-muted hover:bg-hover',
              )}
            >
              {asText ? 'JSON' : 'Form'}
            </button>
          ))}
        </div>
      }
    >
      {isShownAsText ? (
        <div className="flex flex-col gap-2">
          <TextView title={title} field={field} draft={draft} onChange={onChange} />
          <Faults faults={faultsAt(faults, field)} />
        </div>
      ) : (
        children
      )}
    </FormSection>
  );
}

function TextView({
  title,
  field,
  draft,
  onChange,
}: Pick<TwoViewsProps, 'title' | 'field' | 'draft' | 'onChange'>) {
  const broken = draft.broken[field];
  const value = draft[field];
  // The text stays as it is typed: its value is the same, its spaces are not.
  const [typed, setTyped] = useState(() => broken ?? JSON.stringify(value, null, 2));
  const read = readJsonObject(typed);
  const isOwn = read.kind === 'object' ? isSameJson(read.value, value) : typed === broken;
  const text = isOwn ? typed : (broken ?? JSON.stringify(value, null, 2));
  return (
    <JsonEditor
      label={`${title} as JSON`}
      text={text}
      fault={jsonFaultOf(readJsonObject(text))}
      onChange={(next) => {
        setTyped(next);
        const result = readJsonObject(next);
        const isRight = result.kind === 'object';
        onChange({
          ...(isRight ? { [field]: result.value } : {}),
          broken: { ...draft.broken, [field]: isRight ? null : next },
        });
      }}
    />
  );
}
