import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { faultsAt, faultsBeside } from '../../api/form-faults.js';
import { toolServersQuery, toolsQuery } from '../../api/tools.js';
import { Button } from '../../ui/button.js';
import { Faults } from '../../ui/faults.js';
import { Input } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/notice.js';
import { EVERY_TOOL, toolGroups, unknownNames, withNameToggled } from '../draft/tool-selection.js';
import type { SectionProps } from './section-props.js';
import { Tick } from './tick.js';
import { ToolGroupList } from './tool-group-list.js';
import { TwoViews } from './two-views.js';

/** Tools that the agent may call: `tools` of the agent, and which of them wait for a person. */
export function ToolsSection(props: SectionProps) {
  return (
    <TwoViews
      title="Tools"
      about="What the agent may call. “Asks first” makes each call wait for a person."
      field="tools"
      {...props}
    >
      <ToolsForm {...props} />
    </TwoViews>
  );
}

function ToolsForm({ draft, faults, onChange }: SectionProps) {
  const tools = useQuery(toolsQuery);
  const servers = useQuery(toolServersQuery);
  const [search, setSearch] = useState('');
  const failed = [tools, servers].find((query) => query.isError);
  if (failed !== undefined) {
    return (
      <ProblemNotice
        error={failed.error}
        title="The tools could not be read; they can be edited as JSON"
        onRetry={() => void failed.refetch()}
      />
    );
  }
  if (tools.data === undefined || servers.data === undefined) return null;
  const names = servers.data.map(({ name }) => name);
  const groups = toolGroups(tools.data, names, search);
  const unknown = unknownNames(draft.tools, tools.data, names);
  const toggle = (list: 'builtin' | 'servers', name: string): void =>
    onChange({ tools: withNameToggled(draft.tools, list, name) });
  const ofTools = faults.filter(({ path }) => path[0] === 'tools');
  return (
    <>
      <Input
        type="search"
        aria-label="Find a tool"
        placeholder="Find a tool by its name or description"
        value={search}
        className="max-w-md"
        onChange={({ target }) => setSearch(target.value)}
      />
      {names.length > 0 && search === '' && (
        <Tick
          label="Every tool of every server, also of later ones"
          isOn={(draft.tools['servers'] as unknown[] | undefined)?.includes(EVERY_TOOL) ?? false}
          onChange={() => toggle('servers', EVERY_TOOL)}
        />
      )}
      {groups.map((group) => (
        <ToolGroupList
          key={group.server ?? ''}
          group={group}
          draft={draft}
          isSearched={search !== ''}
          onToggle={toggle}
          onToggleApproval={(name) =>
            onChange({ config: withNameToggled(draft.config, 'require_approval', name) })
          }
        />
      ))}
      {groups.length === 0 && (
        <p className="text-muted">{search === '' ? 'There are no tools.' : 'No tool matches.'}</p>
      )}
      {unknown.length > 0 && (
        <div>
          <h3 className="text-sm text-muted">Named, and not listed by any server now</h3>
          <ul className="mt-1 flex flex-wrap gap-1.5">
            {unknown.map(({ list, name }) => (
              <li key={`${list} ${name}`}>
                <Button className="h-7 font-mono text-sm font-normal" onClick={() => toggle(list, name)}>
                  <span className="max-w-80 truncate">{name}</span>
                  <X aria-label="Remove" className="size-3.5 shrink-0" />
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Faults
        faults={[
          ...faultsAt(
            faultsBeside(ofTools, [
              ['tools', 'agents'],
              ['tools', 'search_knowledge'],
            ]),
            'tools',
          ),
          ...faultsAt(faults, 'config', 'require_approval'),
        ]}
      />
    </>
  );
}
