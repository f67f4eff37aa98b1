import { faultsAt } from '../api/form-faults.js';
import type { ToolServerType } from '../api/types.js';
import { Field, Input, Select } from '../ui/field.js';
import { FormSection } from '../ui/form-section.js';
import { AuthFields } from './auth-fields.js';
import { ConnectionFields } from './connection-fields.js';
import { OverridesField } from './overrides-field.js';
import type { ServerDraft } from './server-draft.js';
import type { ServerFormProps } from './server-form-props.js';

/** Parts of the body whose faults the form shows where they belong. */
export const SERVER_PLACES = [['name'], ['type'], ['status'], ['config'], ['tools'], ['limits']] as const;

const TYPES: Readonly<Record<ToolServerType, string>> = {
  http: 'MCP by streamable HTTP',
  sse: 'MCP by HTTP with SSE',
  stdio: 'MCP through a process of the worker',
  openapi: 'An HTTP service by its description (OpenAPI)',
  builtin: 'The tools of this installation',
};

/** Everything of a tool server that a person can change. */
export function ServerForm(props: ServerFormProps) {
  const { draft, faults, onChange } = props;
  const mayHaveAuth = draft.type === 'http' || draft.type === 'sse' || draft.type === 'openapi';
  return (
    <>
      <FormSection title="General">
        <Field
          label="Name"
          hint="Part of the name of each tool: mcp__name__tool. Lower case letters, digits and single _, at most 32."
          faults={faultsAt(faults, 'name')}
        >
          {(ids) => (
            <Input
              {...ids}
              value={draft.name}
              maxLength={32}
              className="max-w-xs font-mono text-sm"
              onChange={({ target }) => onChange({ name: target.value })}
            />
          )}
        </Field>
        <Field label="Protocol" faults={faultsAt(faults, 'type')}>
          {(ids) => (
            <Select
              {...ids}
              value={draft.type}
              className="max-w-md"
              onChange={({ target }) => onChange({ type: target.value as ToolServerType })}
            >
              {Object.entries(TYPES).map(([type, words]) => (
                <option key={type} value={type}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="State"
          hint="Tools of an inactive server are offered to no agent."
          faults={faultsAt(faults, 'status')}
        >
          {(ids) => (
            <Select
              {...ids}
              value={draft.status}
              className="max-w-xs"
              onChange={({ target }) => onChange({ status: target.value as ServerDraft['status'] })}
            >
              <option value="active">Active</option>
              <option value="inactive">Inactive</option>
            </Select>
          )}
        </Field>
      </FormSection>
      {draft.type !== 'builtin' && <ConnectionFields {...props} />}
      {mayHaveAuth && <AuthFields {...props} />}
      <OverridesField {...props} />
      <LimitFields {...props} />
    </>
  );
}

const LIMITS = [
  {
    name: 'timeout_ms',
    label: 'Time limit of a call',
    hint: '100 to 300000 ms, by default 30000.',
    min: 100,
    max: 300_000,
  },
  {
    name: 'concurrency',
    label: 'Calls at once',
    hint: '1 to 64 of each worker, by default 8.',
    min: 1,
    max: 64,
  },
] as const;

function LimitFields({ draft, faults, onChange }: ServerFormProps) {
  return (
    <FormSection title="Limits">
      <div className="grid gap-4 sm:grid-cols-2">
        {LIMITS.map(({ name, label, hint, min, max }) => (
          <Field key={name} label={label} hint={hint} faults={faultsAt(faults, 'limits', name)}>
            {(ids) => (
              <Input
                {...ids}
                type="number"
                min={min}
                max={max}
                value={Number.isNaN(draft.limits[name]) ? '' : draft.limits[name]}
                className="w-40"
                onChange={({ target }) =>
                  onChange({ limits: { ...draft.limits, [name]: target.valueAsNumber } })
                }
              />
            )}
          </Field>
        ))}
      </div>
    </FormSection>
  );
}
