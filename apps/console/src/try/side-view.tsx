import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useAgentName } from '../api/agents.js';
import { problemOf } from '../api/problem.js';
import { sessionQuery } from '../api/sessions.js';
import { SessionConversation, type Seek } from '../conversation/session-conversation.js';
import { ProblemNotice } from '../ui/notice.js';
import { SentMessage } from './sent-message.js';
import { SideHeader } from './side-header.js';
import type { Side } from './try-search.js';
import type { Sends, Sent } from './use-sends.js';

interface SideViewProps {
  readonly label: string;
  readonly side: Side;
  readonly sends: Sends;
  readonly onEdit: (sent: Sent) => void;
  readonly onChange: (side: Side) => void;
  readonly onClose: (() => void) | undefined;
}

/** One side of the page: an agent in one of its versions, and the conversation with it. */
export function SideView({ label, side, sends, onEdit, onChange, onClose }: SideViewProps) {
  const { session } = side;
  return (
    <section aria-label={label} className="flex min-h-0 min-w-0 flex-1 flex-col max-md:min-h-[60dvh]">
      <SideHeader
        side={side}
        isHeld={sends.isSending}
        onChange={(next) => {
          if (next.session !== session) sends.clear();
          onChange(next);
        }}
        onClose={onClose}
      />
      {session === null ? (
        <NewConversation side={side} sends={sends} onEdit={onEdit} />
      ) : (
        <Going key={session} session={session} sends={sends} onEdit={onEdit} />
      )}
    </section>
  );
}

function NewConversation({ side, sends, onEdit }: Pick<SideViewProps, 'side' | 'sends' | 'onEdit'>) {
  const agentName = useAgentName();
  if (sends.sent.length > 0) {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        {sends.sent.map((sent) => (
          <SentMessage key={sent.key} sent={sent} sends={sends} onEdit={onEdit} />
        ))}
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-1 overflow-y-auto px-4 text-center">
      <h2 className="text-lg font-semibold">Ask {agentName(side.agent)} something</h2>
      <p className="max-w-md text-muted">
        Each message is a run like any other: it costs what it costs, and its tools do what they do.
      </p>
    </div>
  );
}

interface GoingProps extends Pick<SideViewProps, 'sends' | 'onEdit'> {
  readonly session: string;
}

function Going({ session, sends, onEdit }: GoingProps) {
  const [seek] = useState<Seek>({ to: 'end' });
  const { data, error, refetch } = useQuery(sessionQuery(session));
  if (error !== null && problemOf(error).status === 404) {
    return (
      <ProblemNotice error={error} title="The session could not be read" onRetry={() => void refetch()} />
    );
  }
  return (
    <SessionConversation
      session={data ?? { uuid: session, turn_count: 1 }}
      seek={seek}
      empty={null}
      after={(runIds) =>
        sends.sent
          .filter(({ runId }) => runId === null || !runIds.has(runId))
          .map((sent) => <SentMessage key={sent.key} sent={sent} sends={sends} onEdit={onEdit} />)
      }
    />
  );
}
