import { useQuery } from '@tanstack/react-query';
import { faultsAt, faultsBeside } from '../../api/form-faults.js';
import { Faults } from '../../ui/faults.js';
import { Field, Select } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/notice.js';
import { llmsQuery, modelsQuery, strategiesQuery } from '../agent-queries.js';
import { withKey } from '../draft/agent-draft.js';
import { modelFields, otherKeys, strategyFields, type ParameterField } from '../draft/parameter-fields.js';
import type { SectionProps } from './section-props.js';
import { ParameterControl } from './parameter-control.js';
import { TwoViews } from './two-views.js';

/** Keys of the config that other sections of the form show. */
const IN_OTHER_SECTIONS = ['strategy', 'datasource_ids', 'require_approval'];

/** Strategy and parameters: `config` of the agent. */
export function ParametersSection(props: SectionProps) {
  return (
    <TwoViews
      title="Strategy and parameters"
      about="They win over those of the model configuration; options of a request win over them."
      field="config"
      {...props}
    >
      <ParametersForm {...props} />
    </TwoViews>
  );
}

function ParametersForm({ draft, faults, onChange }: SectionProps) {
  const strategies = useQuery(strategiesQuery);
  const models = useQuery(modelsQuery);
  const llms = useQuery(llmsQuery);
  const failed = [strategies, models].find((query) => query.isError);
  if (failed !== undefined) {
    return (
      <ProblemNotice
        error={failed.error}
        title="The parameters could not be read; they can be edited as JSON"
        onRetry={() => void failed.refetch()}
      />
    );
  }
  if (strategies.data === undefined || models.data === undefined) return null;
  const { config } = draft;
  const llm = llms.data?.find(({ id }) => id === draft.llm);
  const ofStrategy = strategyFields(strategies.data, config['strategy']);
  const taken = new Set(ofStrategy.map(({ name }) => name));
  const ofModel =
    llm === undefined ? [] : modelFields(models.data, llm).filter(({ name }) => !taken.has(name));
  const shown = [...IN_OTHER_SECTIONS, ...[...ofStrategy, ...ofModel].map(({ name }) => name)];
  const others = otherKeys(config, shown);
  const rest = faultsBeside(
    faults.filter(({ path }) => path[0] === 'config'),
    shown.map((name) => ['config', name]),
  );
  const set = (name: string, value: unknown): void => onChange({ config: withKey(config, name, value) });
  const group = (fields: readonly ParameterField[]) =>
    fields.map((field) => (
      <ParameterControl
        key={field.name}
        field={field}
        value={config[field.name]}
        faults={faultsAt(faults, 'config', field.name)}
        onChange={(value) => set(field.name, value)}
      />
    ));
  const strategy = config['strategy'];
  return (
    <>
      <Field
        label="Strategy"
        hint="It puts the organisation's policies around the instruction. Without one, the instruction is sent as it is."
        faults={faultsAt(faults, 'config', 'strategy')}
      >
        {(ids) => (
          <Select
            {...ids}
            value={typeof strategy === 'string' ? strategy : ''}
            className="max-w-md"
            onChange={({ target }) => set('strategy', target.value === '' ? undefined : target.value)}
          >
            <option value="">None</option>
            {typeof strategy === 'string' && strategies.data.every(({ name }) => name !== strategy) && (
              <option value={strategy}>{strategy}, which is not known</option>
            )}
            {strategies.data.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {group(ofStrategy)}
      <fieldset className="flex flex-col gap-4">
        <legend className="pb-2 font-semibold">Of the model</legend>
        {llm === undefined ? (
          <p className="text-muted">They depend on the model configuration.</p>
        ) : (
          <div className="grid gap-4 sm:grid-cols-2">{group(ofModel)}</div>
        )}
      </fieldset>
      {others.length > 0 && (
        <p className="text-muted wrap-anywhere">
          In the JSON only: <span className="font-mono text-sm">{others.join(', ')}</span>
        </p>
      )}
      <Faults faults={faultsAt(rest, 'config')} />
    </>
  );
}
