import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Columns2 } from 'lucide-react';
import { agentsQuery, useAgentName } from '../api/agents.js';
import { problemOf } from '../api/problem.js';
import { Button } from '../ui/button.js';
import { Command, Empty, ProblemNotice } from '../ui/notice.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { Composer } from './composer.js';
import { SideView } from './side-view.js';
import { searchOf, sideOf, type Place, type Side } from './try-search.js';
import { useAttachments } from './use-attachments.js';
import { useSends, type Sends, type Sent } from './use-sends.js';

const route = getRouteApi('/try');

/** A chat with any agent in any version, or with two beside each other, as a user of the product would have it. */
export function TryScreen() {
  const agents = useQuery(agentsQuery);
  const search = route.useSearch();
  const first = agents.data?.find(({ is_active }) => is_active);
  const side = sideOf(search, 'first') ?? (first && { agent: first.id, version: null, session: null });
  if (side !== undefined) return <Trial first={side} second={sideOf(search, 'second')} />;
  return (
    <>
      <ScreenHeader title="Try" />
      {agents.isError && (
        <ProblemNotice
          error={agents.error}
          title="The agents could not be read"
          onRetry={() => void agents.refetch()}
        />
      )}
      {agents.isSuccess && <NoAgents />}
    </>
  );
}

function Trial({ first, second }: { readonly first: Side; readonly second: Side | null }) {
  const { show, setSession } = useAddress(first, second);
  const ofFirst = useSends((uuid) => setSession('first', uuid));
  const ofSecond = useSends((uuid) => setSession('second', uuid));
  const agentName = useAgentName();
  const all = second === null ? [ofFirst] : [ofFirst, ofSecond];
  const [text, setText] = useState('');
  const attachments = useAttachments();
  const edit = (sent: Sent): void => {
    setText(text.trim() === '' ? (sent.request.input ?? '') : `${sent.request.input ?? ''}\n\n${text}`);
    attachments.putBack(sent.files);
    // Both sides may have refused it.
    for (const sends of all) sends.discardRefused(sent.request.input);
  };
  const addressee = second === null ? agentName(first.agent) : 'both';
  return (
    <>
      <ScreenHeader title="Try">
        <Button
          className="ml-auto"
          disabled={second !== null}
          onClick={() => show(first, { ...first, session: null })}
        >
          <Columns2 aria-hidden className="size-3.5" /> Compare with …
        </Button>
      </ScreenHeader>
      <div className="flex min-h-0 flex-1 max-md:flex-col max-md:overflow-y-auto md:divide-x md:divide-line">
        <SideView
          label={second === null ? 'Conversation' : 'First side'}
          side={first}
          sends={ofFirst}
          onEdit={edit}
          onChange={(next) => show(next, second)}
          onClose={
            second === null
              ? undefined
              : () => {
                  ofFirst.clear();
                  ofSecond.clear();
                  show(second, null);
                }
          }
        />
        {second !== null && (
          <SideView
            label="Second side"
            side={second}
            sends={ofSecond}
            onEdit={edit}
            onChange={(next) => show(first, next)}
            onClose={() => {
              ofSecond.clear();
              show(first, null);
            }}
          />
        )}
      </div>
      <Composer
        text={text}
        onText={setText}
        attachments={attachments}
        addressee={addressee}
        hindrance={all.some(({ isSending }) => isSending) ? 'Sending …' : null}
        faults={all.flatMap(faultsOf)}
        onSend={(draft) => {
          ofFirst.send(draft, first);
          if (second !== null) ofSecond.send(draft, second);
        }}
      />
    </>
  );
}

/** The sides are in the address of the page, so that it can be sent to a colleague and the back button works. */
function useAddress(first: Side, second: Side | null) {
  const navigate = useNavigate();
  return {
    show: (nextFirst: Side, nextSecond: Side | null): void =>
      void navigate({ to: '/try', search: searchOf(nextFirst, nextSecond) }),
    /** Both sides may get their sessions at about the same time, so each changes the address as it is then. */
    setSession: (place: Place, uuid: string): void =>
      void navigate({
        to: '/try',
        replace: true,
        search: (before) => {
          const now = { first: sideOf(before, 'first') ?? first, second: sideOf(before, 'second') ?? second };
          const { [place]: side } = now;
          const next = { ...now, [place]: side && { ...side, session: uuid } };
          return searchOf(next.first, next.second);
        },
      }),
  };
}

function faultsOf({ sent }: Sends): readonly string[] {
  return sent.flatMap(({ error }) => (error === null ? [] : problemOf(error).faults));
}

function NoAgents() {
  return (
    <Empty title="No agents yet">
      <p className="text-muted">Make one with a model configuration of yours, then talk to it here:</p>
      <Command
        text={`curl -s ${location.origin}/api/agents/ -H 'content-type: application/json' \\\n  -d '{"name": "Greeter", "usecase_type": "BASIC_CHAT", "llm": 1}'`}
      />
    </Empty>
  );
}
