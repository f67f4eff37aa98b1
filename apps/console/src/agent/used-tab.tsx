import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { agentsQuery } from '../api/agents.js';
import { ActiveState } from '../ui/active-state.js';
import { ProblemNotice } from '../ui/notice.js';
import { usesOf } from './draft/called-agents.js';

/** Agents that call this one, and its runs. */
export function UsedTab({ id }: { readonly id: number }) {
  const agents = useQuery(agentsQuery);
  if (agents.isError && agents.data === undefined) {
    return (
      <ProblemNotice
        error={agents.error}
        title="The agents could not be read"
        onRetry={() => void agents.refetch()}
      />
    );
  }
  if (agents.data === undefined) return null;
  const uses = usesOf(id, agents.data);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
      <p>
        <Link to="/runs" search={{ agent: id }} className="text-accent underline">
          Its runs
        </Link>
        <span className="text-muted"> that were submitted to it; what it does for others is in theirs.</span>
      </p>
      {uses.length === 0 ? (
        <p className="text-muted">
          No agent calls it. Another one can, as a tool or as a step of a pipeline.
        </p>
      ) : (
        <table className="w-full max-w-3xl text-left">
          <caption className="pb-1 text-left font-semibold">
            Called by {uses.length === 1 ? 'one place' : `${uses.length} places`}
          </caption>
          <thead className="text-sm text-muted">
            <tr className="border-b border-line">
              <th className="py-1 pr-4 font-normal">Agent</th>
              <th className="py-1 pr-4 font-normal">As</th>
              <th className="py-1 pr-4 font-normal">Named</th>
              <th className="py-1 font-normal">State</th>
            </tr>
          </thead>
          <tbody>
            {uses.map((use) => (
              <tr key={`${use.agentId} ${use.kind} ${use.by}`} className="h-9 border-b border-line">
                <td className="pr-4">
                  <Link
                    to="/agents/$id"
                    params={{ id: String(use.agentId) }}
                    className="font-medium hover:underline"
                  >
                    {use.agentName}
                  </Link>
                </td>
                <td className="pr-4">{use.kind === 'tool' ? 'a tool' : 'a step'}</td>
                <td className="pr-4 font-mono text-sm">{use.by}</td>
                <td>
                  <ActiveState isActive={use.isActive} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
