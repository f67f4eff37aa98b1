import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { KnowledgeDocument } from '../../api/types.js';
import { Breadcrumb } from '../../ui/breadcrumb.js';
import { useKeys } from '../../ui/keys.js';
import { ProblemNotice } from '../../ui/notice.js';
import { ScreenHeader } from '../../ui/screen-header.js';
import { datasourceQuery, documentQuery } from '../knowledge-queries.js';
import { isUnderWay } from '../document-state.js';
import { useFollowDocument } from '../use-follow-document.js';
import { Chunks } from './chunks.js';
import { DocumentActions } from './document-actions.js';
import { DocumentFacts } from './document-facts.js';

const route = getRouteApi('/knowledge/documents/$id');

/** One document: its state, what is missing of it, and the chunks that are searched. */
export function DocumentScreen() {
  const { id } = route.useParams();
  const document = useQuery(documentQuery(id));
  if (document.data !== undefined) return <Opened key={id} document={document.data} />;
  if (document.isError) {
    return (
      <>
        <ScreenHeader title={<Link to="/knowledge">Knowledge</Link>} />
        <ProblemNotice
          error={document.error}
          title="The document could not be read"
          onRetry={() => void document.refetch()}
        />
      </>
    );
  }
  return null;
}

function Opened({ document }: { readonly document: KnowledgeDocument }) {
  const { chunk = null } = route.useSearch();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const datasource = useQuery(datasourceQuery(document.datasource_id));
  const datasourceId = String(document.datasource_id);
  useFollowDocument(isUnderWay(document) ? document.id : null, document.generation, (next) => {
    queries.setQueryData(documentQuery(next.id).queryKey, next);
  });
  useKeys({ Escape: () => void navigate({ to: '/knowledge/$id', params: { id: datasourceId } }) });
  return (
    <div className="flex min-h-0 flex-1 flex-col max-md:overflow-y-auto">
      <header className="shrink-0 border-b border-line px-4 py-2">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Breadcrumb
            parts={[
              <Link to="/knowledge" className="text-muted hover:underline">
                Knowledge
              </Link>,
              <Link
                to="/knowledge/$id"
                params={{ id: datasourceId }}
                className="max-w-40 shrink-0 truncate text-muted hover:underline"
              >
                {datasource.data?.value.name ?? `datasource ${datasourceId}`}
              </Link>,
              <bdi className="truncate" title={document.title}>
                {document.title}
              </bdi>,
            ]}
          />
          <DocumentActions document={document} />
        </div>
        <DocumentFacts document={document} />
      </header>
      <Chunks document={document} chunkId={chunk} />
    </div>
  );
}
