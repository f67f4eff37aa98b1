import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageCirclePlus, X } from 'lucide-react';
import { agentsQuery } from '../api/agents.js';
import { shortId } from '../format/ids.js';
import { Button, IconButton } from '../ui/button.js';
import { Select } from '../ui/field.js';
import { VersionSelect } from '../ui/version-select.js';
import type { Side } from './try-search.js';

interface SideHeaderProps {
  readonly side: Side;
  /** True while a message is being sent, which belongs to the side as it is. */
  readonly isHeld: boolean;
  readonly onChange: (side: Side) => void;
  /** Undefined where it is the only side. */
  readonly onClose: (() => void) | undefined;
}

/** Which agent and version a side tries, and in which session. */
export function SideHeader({ side, isHeld, onChange, onClose }: SideHeaderProps) {
  const { session } = side;
  return (
    <div className="@container flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      <AgentSelect side={side} isHeld={isHeld} onChange={onChange} />
      <VersionSelect
        aria-label="Version"
        agent={side.agent}
        version={side.version}
        disabled={isHeld}
        className="max-w-44 min-w-0 flex-1 basis-32 md:flex-none md:basis-auto"
        onChange={(version) => onChange({ ...side, version })}
      />
      {session !== null && (
        <Link
          to="/sessions/$uuid"
          params={{ uuid: session }}
          title={session}
          className="text-sm text-muted hover:underline"
        >
          Session <span className="font-mono">{shortId(session)}</span>
        </Link>
      )}
      <div className="ml-auto flex items-center gap-1">
        <Button
          look="quiet"
          className="px-2"
          title="New conversation"
          disabled={isHeld || session === null}
          onClick={() => onChange({ ...side, session: null })}
        >
          <MessageCirclePlus aria-hidden className="size-3.5" />
          <span className="@max-2xl:sr-only">New conversation</span>
        </Button>
        {onClose !== undefined && (
          <IconButton label="Close this side" disabled={isHeld} onClick={onClose}>
            <X aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
    </div>
  );
}

type SelectProps = Omit<SideHeaderProps, 'onClose'>;

/** A session belongs to its agent: another agent begins another one. */
function AgentSelect({ side, isHeld, onChange }: SelectProps) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const shown = agents.filter(({ id, is_active }) => is_active || id === side.agent);
  const isKnown = shown.some(({ id }) => id === side.agent);
  return (
    <Select
      aria-label="Agent"
      className="max-w-48 min-w-0 flex-1 basis-32 md:flex-none md:basis-auto"
      disabled={isHeld}
      value={side.agent}
      onChange={({ target }) => onChange({ agent: Number(target.value), version: null, session: null })}
    >
      {!isKnown && <option value={side.agent}>agent {side.agent}</option>}
      {shown.map(({ id, name, is_active }) => (
        <option key={id} value={id}>
          {name}
          {is_active ? '' : ' (inactive)'}
        </option>
      ))}
    </Select>
  );
}
