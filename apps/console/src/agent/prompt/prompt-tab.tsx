import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.js';
import { formatBytes } from '../../format/amounts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { LongText } from '../../ui/long-text.js';
import { ProblemNotice } from '../../ui/notice.js';
import type { AgentDraft } from '../draft/agent-draft.js';

const LAYERS: Readonly<Record<string, string>> = {
  tenant: 'Of the tenant',
  agent: 'Of the agent, with the policies of its strategy',
  skills: 'Skills of the tenant',
};

const promptQuery = ({ llm, system_prompt: prompt, config }: AgentDraft) =>
  queryOptions({
    queryKey: ['agents', 'prompt', llm, prompt, config],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      answerOf(
        api.POST('/api/agents/prompt-preview/', {
          body: { llm, system_prompt: prompt === '' ? null : prompt, config },
          signal,
        }),
      ),
  });

/** The system prompt as it would be sent with what stands in the form, layer by layer. */
export function PromptTab({ draft }: { readonly draft: AgentDraft }) {
  const prompt = useQuery(promptQuery(draft));
  if (prompt.isError) {
    return (
      <ProblemNotice
        error={prompt.error}
        title="The prompt could not be composed"
        onRetry={() => void prompt.refetch()}
      />
    );
  }
  if (prompt.data === undefined) return null;
  const { text, layers } = prompt.data;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-4">
      <p className="flex max-w-4xl items-start gap-2 text-muted">
        <span>
          The system prompt as it is in the form, saved or not. What a request or a conversation brings is
          added to it: preferred skills, files, memories, a summary of what came before.
        </span>
        {text !== null && <CopyButton text={text} label="Copy the prompt" />}
      </p>
      {layers.length === 0 && (
        <p className="text-muted">There is none: the model gets the conversation alone.</p>
      )}
      {layers.map((layer) => (
        <section key={layer.name} aria-label={LAYERS[layer.name] ?? layer.name} className="max-w-4xl">
          <h2 className="mb-1 font-semibold">
            {LAYERS[layer.name] ?? layer.name}
            <span className="ml-2 font-normal text-muted">{formatBytes(layer.text.length)}</span>
          </h2>
          <div className="border-l-2 border-line pl-4">
            <LongText text={layer.text} fileName={`prompt-${layer.name}.txt`} className="font-mono text-sm" />
          </div>
        </section>
      ))}
    </div>
  );
}
