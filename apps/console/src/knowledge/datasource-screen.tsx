import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Datasource } from '../api/types.js';
import type { Versioned } from '../api/versioned.js';
import { Breadcrumb } from '../ui/breadcrumb.js';
import { Fact, Facts } from '../ui/facts.js';
import { useKeys } from '../ui/keys.js';
import { ProblemNotice, Reading } from '../ui/notice.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { Tabs } from '../ui/tabs.js';
import { Time } from '../ui/time.js';
import { DatasourceActions } from './datasource-actions.js';
import { DocumentsTab } from './documents-tab.js';
import { datasourceQuery, llmChoicesQuery } from './knowledge-queries.js';
import type { DatasourceTab } from './knowledge-search.js';
import { SearchTab } from './search/search-tab.js';

const route = getRouteApi('/knowledge/$id');

const TABS: readonly { readonly name: DatasourceTab; readonly label: string }[] = [
  { name: 'documents', label: 'Documents' },
  { name: 'search', label: 'Search' },
];

/** One datasource: its documents, and a search through them. */
export function DatasourceScreen() {
  const id = Number(route.useParams().id);
  const datasource = useQuery(datasourceQuery(id));
  if (datasource.data !== undefined) return <Opened key={id} datasource={datasource.data} />;
  if (datasource.isError) {
    return (
      <>
        <ScreenHeader title={<Link to="/knowledge">Knowledge</Link>} />
        <ProblemNotice
          error={datasource.error}
          title="The datasource could not be read"
          onRetry={() => void datasource.refetch()}
        />
      </>
    );
  }
  return <Reading />;
}

function Opened({ datasource }: { readonly datasource: Versioned<Datasource> }) {
  const { value } = datasource;
  const view = route.useSearch();
  const navigate = useNavigate();
  const llms = useQuery(llmChoicesQuery);
  const llmName = llms.data?.find(({ id }) => id === value.llm_id)?.name ?? `configuration ${value.llm_id}`;
  const { tab = 'documents', ...rest } = view;
  useKeys({ Escape: () => void navigate({ to: '/knowledge' }) });
  return (
    <>
      <header className="shrink-0 border-b border-line px-4 py-2">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Breadcrumb
            parts={[
              <Link to="/knowledge" className="text-muted hover:underline">
                Knowledge
              </Link>,
              <bdi className="truncate">{value.name}</bdi>,
            ]}
          />
          <DatasourceActions datasource={datasource} />
        </div>
        <div className="mt-2">
          <Facts>
            <Fact name="Documents">{value.document_count.toLocaleString('en-US')}</Fact>
            <Fact name="Vectors">
              {value.embed_model}, {value.dimensions} dimensions, {llmName}
            </Fact>
            <Fact name="Chunks">
              {value.chunk_tokens} tokens, overlap {value.overlap_tokens}
            </Fact>
            <Fact name="Changed">
              <Time at={value.updated_at} />
            </Fact>
          </Facts>
          {value.description !== '' && <p className="mt-1 text-muted wrap-anywhere">{value.description}</p>}
        </div>
      </header>
      <Tabs
        label="Views of the datasource"
        tabs={TABS}
        current={tab}
        onChange={(next) =>
          void navigate({
            to: '/knowledge/$id',
            params: { id: String(value.id) },
            search: { ...rest, tab: next },
            replace: true,
          })
        }
      >
        {tab === 'documents' && <DocumentsTab datasource={value} group={view.state} />}
        {tab === 'search' && <SearchTab datasourceId={value.id} view={view} />}
      </Tabs>
    </>
  );
}
