import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { sessionQuery } from '../api/sessions.js';
import type { Session } from '../api/types.js';
import { SessionConversation, type Seek } from '../conversation/session-conversation.js';
import { useKeys } from '../ui/keys.js';
import { Empty, ProblemNotice, Reading } from '../ui/notice.js';
import { Tabs } from '../ui/tabs.js';
import { FilesTab } from './files/files-tab.js';
import { SessionHeader } from './session-header.js';
import type { SessionSearch, SessionTab } from './session-search.js';
import { SummaryNote } from './summary-note.js';

const route = getRouteApi('/sessions/$uuid');

const TABS: readonly { readonly name: SessionTab; readonly label: string }[] = [
  { name: 'conversation', label: 'Conversation' },
  { name: 'files', label: 'Files' },
];

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
  return <Reading />;
}

function OneSession({ session }: { readonly session: Session }) {
  const { turn, tab = 'conversation', file: openPath = null } = route.useSearch();
  const navigate = useNavigate();
  const [seek, setSeek] = useState<Seek | null>(turn === undefined ? null : { to: turn });
  const { uuid } = session;
  const show = (search: SessionSearch): void =>
    void navigate({ to: '/sessions/$uuid', params: { uuid }, search, replace: true });
  useKeys({ Escape: () => (openPath === null ? void navigate({ to: '/sessions' }) : show({ tab })) });
  return (
    <>
      <SessionHeader
        session={session}
        onNewest={() => {
          show({});
          setSeek({ to: 'end' });
        }}
      />
      <Tabs
        label="Views of the session"
        tabs={TABS}
        current={tab}
        onChange={(next) => show(next === 'conversation' ? {} : { tab: next })}
      >
        {tab === 'conversation' && (
          <SessionConversation
            session={session}
            seek={seek}
            hasKeys
            before={<SummaryNote uuid={uuid} />}
            empty={<Empty title="Nothing was said yet" />}
          />
        )}
        {tab === 'files' && (
          <FilesTab
            uuid={uuid}
            openPath={openPath}
            onOpen={(file) => show({ tab, ...(file === null ? {} : { file }) })}
          />
        )}
      </Tabs>
    </>
  );
}
