import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { sessionQuery } from '../api/sessions.js';
import type { Session } from '../api/types.js';
import { SessionConversation, type Seek } from '../conversation/session-conversation.js';
import { useKeys } from '../ui/keys.js';
import { Empty, ProblemNotice } from '../ui/notice.js';
import { SessionHeader } from './session-header.js';
import { SummaryNote } from './summary-note.js';

const route = getRouteApi('/sessions/$uuid');

export function SessionScreen() {
  const { uuid } = route.useParams();
  const session = useQuery(sessionQuery(uuid));
  if (session.data !== undefined) return <OneSession key={uuid} session={session.data} />;
  if (session.isError) {
    return (
      <ProblemNotice
        error={session.error}
        title="The session could not be read"
        onRetry={() => void session.refetch()}
      />
    );
  }
  return null;
}

function OneSession({ session }: { readonly session: Session }) {
  const { turn } = route.useSearch();
  const navigate = useNavigate();
  const [seek, setSeek] = useState<Seek | null>(turn === undefined ? null : { to: turn });
  useKeys({ Escape: () => void navigate({ to: '/sessions' }) });
  return (
    <>
      <SessionHeader session={session} onNewest={() => setSeek({ to: 'end' })} />
      <SessionConversation
        session={session}
        seek={seek}
        hasKeys
        before={<SummaryNote uuid={session.uuid} />}
        empty={<Empty title="Nothing was said yet" />}
      />
    </>
  );
}
