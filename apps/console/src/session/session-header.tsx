import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { Archive } from 'lucide-react';
import { useAgentName } from '../api/agents.js';
import type { Session } from '../api/types.js';
import { shortId } from '../format/ids.js';
import { CopyButton } from '../ui/copy-button.js';
import { Time } from '../ui/time.js';
import { SessionActions } from './session-actions.js';
import { TitleEditor } from './title-editor.js';

interface SessionHeaderProps {
  readonly session: Session;
  /** Brings the newest turn into view. */
  readonly onNewest: () => void;
}

/** Title, facts and actions of a session. */
export function SessionHeader({ session, onNewest }: SessionHeaderProps) {
  const agentName = useAgentName();
  const { uuid, agent_id, turn_count, session_id } = session;
  return (
    <header className="shrink-0 border-b border-line px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="flex min-w-0 flex-1 basis-64 items-center gap-1 text-lg font-semibold">
          <Link to="/sessions" className="text-muted hover:underline">
            Sessions
          </Link>
          <span aria-hidden className="text-muted">
            /
          </span>
          <TitleEditor session={session} />
        </h1>
        {session.is_archived && (
          <span className="inline-flex items-center gap-1.5 font-medium text-muted">
            <Archive aria-hidden className="size-3.5" /> Archived
          </span>
        )}
        <SessionActions session={session} onNewest={onNewest} />
      </div>
      <dl className="mt-1 flex flex-wrap items-center gap-x-6 gap-y-1">
        <Fact name="Session">
          <span className="font-mono text-sm" title={uuid}>
            {shortId(uuid)}
          </span>
          <CopyButton text={uuid} label="Copy the id" />
        </Fact>
        <Fact name="Agent">
          {agent_id === null ? (
            'none'
          ) : (
            <Link to="/runs" search={{ agent: agent_id }} className="hover:underline">
              {agentName(agent_id)}
            </Link>
          )}
        </Fact>
        <Fact name="Turns">
          <Link to="/runs" search={{ session: uuid }} className="hover:underline">
            {turn_count}
          </Link>
        </Fact>
        <Fact name="Last turn">
          <Time at={session.updated_at} />
        </Fact>
        <Fact name="Created">
          <Time at={session.created_at} />
        </Fact>
        <Fact name="Next turn">{session_id === null ? 'begins afresh' : 'continues'}</Fact>
      </dl>
    </header>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-center gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="flex items-center gap-1">{children}</dd>
    </div>
  );
}
