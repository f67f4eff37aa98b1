import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { agentsQuery } from '../../api/agents.js';
import { faultsAt, type FieldFault } from '../../api/form-faults.js';
import { Button } from '../../ui/button.js';
import { Faults } from '../../ui/faults.js';
import { FormSection } from '../../ui/form-section.js';
import { withKey } from '../draft/agent-draft.js';
import { calledAgentsOf, faultsOfEntry, type CalledAgent } from '../draft/called-agents.js';
import type { SectionProps } from './section-props.js';
import { CalledAgentEntry } from './called-agent-entry.js';

const MAX_ENTRIES = 32;
const ONE: CalledAgent = { agent: null, name: '', description: '' };

/** Agents that this one may call, each as a tool, or several as the choices of one tool. */
export function CalledAgentsSection({ agentId, draft, faults, onChange }: SectionProps) {
  const agents = useQuery(agentsQuery);
  const entries = calledAgentsOf(draft.tools);
  const choosable = (agents.data ?? []).filter(({ id, is_active: isActive }) => isActive && id !== agentId);
  const set = (next: readonly CalledAgent[]): void =>
    onChange({ tools: withKey(draft.tools, 'agents', next.length === 0 ? undefined : next) });
  return (
    <FormSection
      title="Sub-agents"
      about="Other agents that it may call. They see the prompt of the call and nothing else of the conversation."
    >
      {entries === null ? (
        <p className="text-muted">The list can be edited in the JSON of the tools only.</p>
      ) : (
        <>
          {entries.map((entry, index) => (
            // An entry has no id: its place is what the API names it by, too.
            <CalledAgentEntry
              key={index}
              number={index + 1}
              entry={entry}
              agents={choosable}
              faults={faultsOfEntry(faults, index, entry)}
              onChange={(next) => set(entries.map((each, at) => (at === index ? next : each)))}
              onRemove={() => set(entries.filter((_, at) => at !== index))}
            />
          ))}
          <div className="flex flex-wrap gap-2">
            <Button
              unavailable={entries.length >= MAX_ENTRIES ? `At most ${MAX_ENTRIES}` : null}
              onClick={() => set([...entries, ONE])}
            >
              <Plus aria-hidden className="size-3.5" /> An agent
            </Button>
            <Button
              unavailable={entries.length >= MAX_ENTRIES ? `At most ${MAX_ENTRIES}` : null}
              onClick={() => set([...entries, { name: '', description: '', agents: [ONE] }])}
            >
              <Plus aria-hidden className="size-3.5" /> A choice of several
            </Button>
          </div>
        </>
      )}
      <Faults faults={ownFaults(faults)} />
    </FormSection>
  );
}

/** Faults of the list as a whole. */
function ownFaults(faults: readonly FieldFault[]): string[] {
  return faultsAt(
    faults.filter(({ path }) => path.length === 2),
    'tools',
    'agents',
  );
}
