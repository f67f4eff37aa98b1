import { useQuery } from '@tanstack/react-query';
import { ProblemNotice } from '../../ui/notice.js';
import { useOpen } from '../parts/use-open.js';
import { ModelForm } from './model-form.js';
import { llmQuery, modelListQuery } from './model-queries.js';

/** Reads what the form needs; `id` null makes a new configuration. */
export function ModelEditor({ id }: { readonly id: number | null }) {
  const { leave } = useOpen();
  const list = useQuery(modelListQuery);
  const llm = useQuery({ ...llmQuery(id ?? 0), enabled: id !== null });
  const failed = [list, llm].find(({ isError }) => isError);
  if (failed !== undefined) {
    return (
      <ProblemNotice
        error={failed.error}
        title="The configuration could not be read"
        onRetry={() => void failed.refetch()}
      />
    );
  }
  if (list.data === undefined || (id !== null && llm.data === undefined)) return null;
  return <ModelForm list={list.data} stored={llm.data ?? null} onLeave={leave} />;
}
