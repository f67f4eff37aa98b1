import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { Tool } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { EffectBadge } from '../../ui/effect.js';
import type { AgentDraft } from '../draft/agent-draft.js';
import {
  coveringName,
  everyToolOf,
  listOf,
  maySelect,
  namesIn,
  type ToolGroup,
  type ToolList,
} from '../draft/tool-selection.js';
import { Tick } from './tick.js';

const FIRST_ROWS = 40;

interface ToolGroupListProps {
  readonly group: ToolGroup;
  readonly draft: AgentDraft;
  readonly isSearched: boolean;
  readonly onToggle: (list: ToolList, name: string) => void;
  readonly onToggleApproval: (name: string) => void;
}

/** Tools of the installation or of one server, each to be ticked; closed where none of many is chosen. */
export function ToolGroupList(props: ToolGroupListProps) {
  const { group, draft, isSearched, onToggle } = props;
  const [limit, setLimit] = useState(FIRST_ROWS);
  const { server, tools } = group;
  const chosen = tools.filter((tool) => maySelect(draft.tools, tool)).length;
  const [isOpen, setIsOpen] = useState(chosen > 0 || tools.length <= 8);
  return (
    <details
      open={isOpen || isSearched}
      onToggle={({ currentTarget }) => {
        if (!isSearched) setIsOpen(currentTarget.open);
      }}
    >
      <summary className="cursor-pointer font-medium">
        {server === null ? 'Of this installation' : server}
        <span className="ml-2 font-normal text-muted">
          {chosen} of {tools.length}
        </span>
      </summary>
      {server !== null && (
        <Tick
          className="mt-1 h-8 pl-4"
          label="Every tool of this server"
          isOn={namesIn(draft.tools, 'servers').includes(everyToolOf(server))}
          onChange={() => onToggle('servers', everyToolOf(server))}
        />
      )}
      {tools.length === 0 && (
        <p className="pl-4 text-sm text-muted">
          None are listed: the server is inactive, or was not probed yet.
        </p>
      )}
      <ul className="pl-4">
        {tools.slice(0, limit).map((tool) => (
          <ToolRow key={tool.name} {...props} tool={tool} />
        ))}
      </ul>
      {tools.length > limit && (
        <Button className="mt-1 ml-4 h-7" onClick={() => setLimit(tools.length)}>
          Show all {tools.length}
        </Button>
      )}
    </details>
  );
}

function ToolRow({ tool, draft, onToggle, onToggleApproval }: ToolGroupListProps & { readonly tool: Tool }) {
  const list = listOf(tool);
  const names = namesIn(draft.tools, list);
  const covering = list === 'servers' ? coveringName(names, tool) : null;
  const isOn = maySelect(draft.tools, tool);
  const asks = namesIn(draft.config, 'require_approval').includes(tool.name);
  return (
    <li className="grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line py-1 sm:grid-cols-[minmax(0,1fr)_6.5rem_7rem]">
      <div className="min-w-0">
        <Tick
          label={
            <span className="font-mono text-sm" title={tool.name}>
              {tool.tool ?? tool.name}
            </span>
          }
          isOn={isOn}
          isDisabled={covering !== null}
          onChange={() => onToggle(list, tool.name)}
        />
        <p className="truncate pl-6 text-sm text-muted" title={tool.description}>
          <Link
            to="/tools/$name"
            params={{ name: tool.name }}
            className="hover:underline"
            aria-label={`Open the tool ${tool.name}`}
          >
            {tool.description === '' ? 'No description' : tool.description.slice(0, 300)}
          </Link>
        </p>
      </div>
      <EffectBadge effect={tool.effect} />
      {isOn && (
        <Tick
          label={tool.approval ? 'Always asks' : 'Asks first'}
          isOn={tool.approval || asks}
          isDisabled={tool.approval}
          onChange={() => onToggleApproval(tool.name)}
          className="max-sm:col-span-2 max-sm:pl-6"
        />
      )}
    </li>
  );
}
