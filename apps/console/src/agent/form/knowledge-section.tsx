import { useQuery } from '@tanstack/react-query';
import { faultsAt } from '../../api/form-faults.js';
import { Faults } from '../../ui/faults.js';
import { FormSection } from '../../ui/form-section.js';
import { ProblemNotice } from '../../ui/notice.js';
import { datasourcesQuery } from '../agent-queries.js';
import type { JsonObject } from '../../format/json-object.js';
import { withKey } from '../draft/agent-draft.js';
import type { SectionProps } from './section-props.js';
import { Tick } from './tick.js';

const TOOL = 'search_knowledge';

/** Datasources that are searched: before each answer of a `RAG_CHAT`, and by the tool `search_knowledge` of any agent. */
export function KnowledgeSection({ draft, faults, onChange }: SectionProps) {
  const datasources = useQuery(datasourcesQuery);
  const searchTool = draft.tools[TOOL];
  const isTool = typeof searchTool === 'object' && searchTool !== null;
  const ofTool = isTool ? (searchTool as JsonObject) : {};
  const isRag = draft.usecase_type === 'RAG_CHAT';
  return (
    <FormSection title="Documents" about="Datasources that the agent answers from, and cites.">
      {datasources.isError && (
        <ProblemNotice
          error={datasources.error}
          title="The datasources could not be read"
          onRetry={() => void datasources.refetch()}
        />
      )}
      {datasources.data?.length === 0 && <p className="text-muted">There are no datasources yet.</p>}
      {isRag && (
        <Choice
          title="Searched before each answer"
          rows={datasources.data ?? []}
          chosen={idsOf(draft.config)}
          faults={faultsAt(faults, 'config', 'datasource_ids')}
          onChange={(ids) => onChange({ config: withKey(draft.config, 'datasource_ids', ids) })}
        />
      )}
      <Choice
        title="Searched by the tool search_knowledge, when the model calls it"
        rows={datasources.data ?? []}
        chosen={idsOf(ofTool)}
        faults={faultsAt(faults, 'tools', TOOL)}
        onChange={(ids) =>
          onChange({
            tools: withKey(
              draft.tools,
              TOOL,
              ids === undefined ? undefined : { ...ofTool, datasource_ids: ids },
            ),
          })
        }
      />
    </FormSection>
  );
}

function idsOf({ datasource_ids: ids }: JsonObject): number[] {
  return Array.isArray(ids) ? ids.filter((id): id is number => typeof id === 'number') : [];
}

function Choice({
  title,
  rows,
  chosen,
  faults,
  onChange,
}: {
  readonly title: string;
  readonly rows: readonly { readonly id: number; readonly name: string; readonly document_count: number }[];
  readonly chosen: readonly number[];
  readonly faults: readonly string[];
  readonly onChange: (ids: readonly number[] | undefined) => void;
}) {
  const gone = chosen.filter((id) => rows.every((row) => row.id !== id));
  const toggle = (id: number): void => {
    const next = chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id];
    onChange(next.length === 0 ? undefined : next);
  };
  if (rows.length + gone.length === 0) return <Faults faults={faults} />;
  return (
    <fieldset>
      <legend className="font-medium">{title}</legend>
      <ul className="mt-1 grid grid-cols-1 gap-x-4 sm:grid-cols-2">
        {rows.map(({ id, name, document_count: count }) => (
          <li key={id}>
            <Tick
              className="h-8"
              label={
                <>
                  {name}{' '}
                  <span className="text-muted">{count === 1 ? '1 document' : `${count} documents`}</span>
                </>
              }
              isOn={chosen.includes(id)}
              onChange={() => toggle(id)}
            />
          </li>
        ))}
        {gone.map((id) => (
          <li key={id}>
            <Tick className="h-8" label={`Datasource ${id}, not listed`} isOn onChange={() => toggle(id)} />
          </li>
        ))}
      </ul>
      <Faults faults={faults} />
    </fieldset>
  );
}
