import { faultsAt, faultsBeside } from '../api/form-faults.js';
import { Faults } from '../ui/faults.js';
import { Field, Input, TextArea } from '../ui/field.js';
import { FormSection } from '../ui/form-section.js';
import { DocumentField } from './document-field.js';
import type { TemplateField } from './server-draft.js';
import type { ServerFormProps } from './server-form-props.js';
import { TemplateFields } from './template-fields.js';

interface TemplateGroup {
  readonly field: TemplateField;
  readonly title: string;
  readonly item: string;
}

const HEADERS: TemplateGroup = {
  field: 'headers_template',
  title: 'Headers of every request',
  item: 'header',
};
const QUERY: TemplateGroup = { field: 'query_template', title: 'Query parameters', item: 'parameter' };
const SECURITY: TemplateGroup = {
  field: 'security',
  title: 'Security schemes of the description',
  item: 'scheme',
};
const ENVIRONMENT: TemplateGroup = {
  field: 'env_template',
  title: 'Environment of the process',
  item: 'variable',
};

const GROUPS: Readonly<Record<string, readonly TemplateGroup[]>> = {
  http: [HEADERS],
  sse: [HEADERS],
  stdio: [ENVIRONMENT],
  openapi: [HEADERS, QUERY, SECURITY],
};

/** Where the server is, and what is sent along. */
export function ConnectionFields(props: ServerFormProps) {
  const { draft, faults, onChange } = props;
  const groups = GROUPS[draft.type] ?? [];
  const shown = [
    'url',
    'base_url',
    'command',
    'args',
    'document',
    'auth',
    ...groups.map(({ field }) => field),
  ];
  const rest = faultsBeside(
    faults.filter(({ path }) => path[0] === 'config'),
    shown.map((name) => ['config', name]),
  );
  return (
    <FormSection
      title="Connection"
      about={
        <>
          A text with <span className="font-mono">{'${name}'}</span> is filled with a token of each run. Any
          other is sealed, and never shown again.
        </>
      }
    >
      {(draft.type === 'http' || draft.type === 'sse') && (
        <AddressField
          label="Address"
          name="url"
          value={draft.url}
          faults={faultsAt(faults, 'config', 'url')}
          onChange={(url) => onChange({ url })}
        />
      )}
      {draft.type === 'stdio' && <ProcessFields {...props} />}
      {draft.type === 'openapi' && (
        <>
          <DocumentField {...props} />
          <AddressField
            label="Base address"
            name="base_url"
            hint="In place of the servers that the description names."
            value={draft.base_url}
            faults={faultsAt(faults, 'config', 'base_url')}
            onChange={(baseUrl) => onChange({ base_url: baseUrl })}
          />
        </>
      )}
      {groups.map(({ field, title, item }) => (
        <TemplateFields
          key={field}
          title={title}
          item={item}
          rows={draft.templates[field]}
          faultsOf={(name) =>
            name === null
              ? faultsAt(
                  faults.filter(({ path }) => path.length === 2),
                  'config',
                  field,
                )
              : faultsAt(faults, 'config', field, name)
          }
          onChange={(rows) => onChange({ templates: { ...draft.templates, [field]: rows } })}
        />
      ))}
      <Faults faults={faultsAt(rest, 'config')} />
    </FormSection>
  );
}

function AddressField({
  label,
  name,
  hint = null,
  value,
  faults,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly hint?: string | null;
  readonly value: string;
  readonly faults: readonly string[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <Field label={label} hint={hint} faults={faults}>
      {(ids) => (
        <Input
          {...ids}
          name={name}
          type="url"
          inputMode="url"
          spellCheck={false}
          placeholder="https://…"
          value={value}
          className="w-full"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

function ProcessFields({ draft, faults, onChange }: ServerFormProps) {
  return (
    <>
      <Field
        label="Command"
        hint="One of the command lines that the operator allows."
        faults={faultsAt(faults, 'config', 'command')}
      >
        {(ids) => (
          <Input
            {...ids}
            value={draft.command}
            maxLength={64}
            className="max-w-xs font-mono text-sm"
            onChange={({ target }) => onChange({ command: target.value })}
          />
        )}
      </Field>
      <Field label="Arguments" hint="One a line." faults={faultsAt(faults, 'config', 'args')}>
        {(ids) => (
          <TextArea
            {...ids}
            value={draft.args}
            rows={3}
            spellCheck={false}
            className="w-full font-mono text-sm"
            onChange={({ target }) => onChange({ args: target.value })}
          />
        )}
      </Field>
    </>
  );
}
