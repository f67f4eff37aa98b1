import { useState, type SubmitEvent } from 'react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { answerOf, api } from '../../api/client.js';
import { useMissingScope } from '../../app/session.js';
import { formatCost, formatTokens } from '../../format/amounts.js';
import { formatDuration } from '../../format/durations.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/field.js';
import { Empty, ProblemNotice } from '../../ui/notice.js';
import { DEFAULT_HITS, type DatasourceView } from '../knowledge-search.js';
import { HitView } from './hit-view.js';
import { wordsOf } from './mark-words.js';

/** A search as agents make it. It is asked once: each asking costs the vector of the question. */
const searchQuery = (id: number, { q = '', top = DEFAULT_HITS, least = 0 }: DatasourceView) =>
  queryOptions({
    queryKey: ['datasource-search', id, q, top, least],
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    queryFn: ({ signal }) =>
      answerOf(
        api.POST('/api/datasources/{id}/search/', {
          params: { path: { id } },
          body: { question: q, top_k: top, score_threshold: least },
          signal,
        }),
      ),
  });

/** Tries a search through a datasource, and shows why each passage was found. */
export function SearchTab(props: { readonly datasourceId: number; readonly view: DatasourceView }) {
  const { datasourceId, view } = props;
  const missingScope = useMissingScope('agents:write');
  const isAsked = view.q !== undefined && missingScope === null;
  const search = useQuery({ ...searchQuery(datasourceId, view), enabled: isAsked });
  const words = wordsOf(view.q ?? '');
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <SearchForm {...props} missingScope={missingScope} isPending={search.isFetching} />
      {search.isFetching && (
        <p role="status" className="p-4 text-muted">
          A worker searches …
        </p>
      )}
      {search.isError && !search.isFetching && (
        <ProblemNotice error={search.error} onRetry={() => void search.refetch()} />
      )}
      {!isAsked && (
        <Empty title="Try a search">
          <p className="text-muted">
            A worker searches as it does for agents. Each search costs the vector of its question.
          </p>
        </Empty>
      )}
      {search.isSuccess && (
        <>
          <p role="status" className="px-4 py-2 text-sm text-muted">
            {search.data.hits.length} of {search.data.usage.retrieval.total_candidates} candidates, ordered by
            meaning and words, in {formatDuration(search.data.duration_ms)}; question:{' '}
            {formatTokens(search.data.usage.embedding.input_tokens)} tokens, cost{' '}
            {formatCost(search.data.usage.embedding.cost_usd)}
          </p>
          {search.data.hits.length === 0 ? (
            <Empty title="No passage was found">
              <p className="text-muted">
                {view.least === undefined
                  ? 'The datasource has no document that is ready, or none that fits.'
                  : `No passage has a score of ${view.least} or more.`}
              </p>
            </Empty>
          ) : (
            <ol aria-label="Passages">
              {search.data.hits.map((hit) => (
                <HitView key={hit.chunk_id} hit={hit} words={words} />
              ))}
            </ol>
          )}
        </>
      )}
    </div>
  );
}

function SearchForm(props: {
  readonly datasourceId: number;
  readonly view: DatasourceView;
  readonly missingScope: string | null;
  readonly isPending: boolean;
}) {
  const { datasourceId, view, missingScope, isPending } = props;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [question, setQuestion] = useState(view.q ?? '');
  const [top, setTop] = useState(String(view.top ?? DEFAULT_HITS));
  const [least, setLeast] = useState(String(view.least ?? 0));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const q = question.trim();
    if (missingScope !== null || q === '') return;
    const search: DatasourceView = {
      tab: 'search',
      q,
      ...(Number(top) === DEFAULT_HITS ? {} : { top: Number(top) }),
      ...(Number(least) === 0 ? {} : { least: Number(least) }),
    };
    // The same question once more is asked anew: the documents may have changed.
    void queries.invalidateQueries({ queryKey: searchQuery(datasourceId, search).queryKey });
    void navigate({ to: '/knowledge/$id', params: { id: String(datasourceId) }, search });
  };
  return (
    <form
      role="search"
      aria-label="Search the datasource"
      onSubmit={submit}
      className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2"
    >
      <Input
        aria-label="Question"
        placeholder="When do parcels go out?"
        value={question}
        maxLength={8000}
        autoFocus
        className="min-w-48 flex-1"
        onChange={({ target }) => setQuestion(target.value)}
      />
      <label className="flex items-center gap-1.5 text-muted">
        Passages
        <Input
          type="number"
          min={1}
          max={100}
          required
          value={top}
          className="w-16"
          onChange={({ target }) => setTop(target.value)}
        />
      </label>
      <label className="flex items-center gap-1.5 text-muted">
        Least score
        <Input
          type="number"
          min={0}
          max={1}
          step={0.01}
          required
          value={least}
          className="w-18"
          onChange={({ target }) => setLeast(target.value)}
        />
      </label>
      <Button type="submit" look="primary" unavailable={missingScope} disabled={isPending}>
        <Search aria-hidden className="size-3.5" /> Search
      </Button>
    </form>
  );
}
