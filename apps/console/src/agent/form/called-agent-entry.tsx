import { Plus, Trash2 } from 'lucide-react';
import { faultsAt, faultsBeside, type FieldFault } from '../../api/form-faults.js';
import type { Agent } from '../../api/types.js';
import { briefJson } from '../../format/brief-json.js';
import { Button, IconButton } from '../../ui/button.js';
import { Faults } from '../../ui/faults.js';
import { Field, Input, Select } from '../../ui/field.js';
import { withKey } from '../draft/agent-draft.js';
import { choicesOf, type CalledAgent } from '../draft/called-agents.js';

interface EntryProps {
  /** Place in the list, from 1. */
  readonly number: number;
  readonly entry: CalledAgent;
  readonly agents: readonly Agent[];
  /** Their paths begin within the entry. */
  readonly faults: readonly FieldFault[];
  readonly onChange: (entry: CalledAgent) => void;
  readonly onRemove: () => void;
}

/** One tool that calls an agent, or one of several. */
export function CalledAgentEntry(props: EntryProps) {
  const { number, entry, faults, onChange, onRemove } = props;
  const choices = choicesOf(entry);
  const title = choices === null ? `Sub-agent ${number}` : `Sub-agent ${number}, a choice`;
  const places = [
    ['agent'],
    ['name'],
    ['description'],
    ['effect'],
    ...(choices ?? []).map((_, at) => ['agents', String(at)]),
  ];
  return (
    <fieldset className="border-l-2 border-line pl-4">
      <legend className="sr-only">{title}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {choices === null && <AgentField {...props} />}
        <NameField {...props} />
        <Field
          label="Effect"
          hint="Calls of an unsafe one run one after the other."
          faults={faultsAt(faults, 'effect')}
        >
          {(ids) => (
            <Select
              {...ids}
              value={textOf(entry['effect'])}
              onChange={({ target }) =>
                onChange(withKey(entry, 'effect', target.value === '' ? undefined : target.value))
              }
            >
              <option value="">Default: idempotent</option>
              <option value="read">read</option>
              <option value="idempotent">idempotent</option>
              <option value="unsafe">unsafe</option>
            </Select>
          )}
        </Field>
        <DescriptionField {...props} />
      </div>
      {choices?.map((choice, at) => (
        <div key={at} className="mt-3 grid gap-3 border-l-2 border-line pl-4 sm:grid-cols-2">
          <AgentField {...ofChoice(props, choices, at)} entry={choice} />
          <NameField {...ofChoice(props, choices, at)} entry={choice} />
          <DescriptionField {...ofChoice(props, choices, at)} entry={choice} />
          <Button
            look="quiet"
            className="w-fit"
            onClick={() => onChange({ ...entry, agents: choices.filter((_, place) => place !== at) })}
          >
            <Trash2 aria-hidden className="size-3.5" /> Remove the choice
          </Button>
        </div>
      ))}
      <Faults faults={faultsAt(faultsBeside(faults, places))} />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {choices !== null && (
          <Button
            onClick={() =>
              onChange({ ...entry, agents: [...choices, { agent: null, name: '', description: '' }] })
            }
          >
            <Plus aria-hidden className="size-3.5" /> A choice
          </Button>
        )}
        {entry['limits'] !== undefined && (
          <span className="truncate text-sm text-muted">
            Limits, in the JSON: <span className="font-mono">{briefJson(entry['limits'])}</span>
          </span>
        )}
        <IconButton label={`Remove sub-agent ${number}`} onClick={onRemove}>
          <Trash2 aria-hidden className="size-3.5" />
        </IconButton>
      </div>
    </fieldset>
  );
}

function ofChoice(props: EntryProps, choices: readonly CalledAgent[], at: number): Omit<EntryProps, 'entry'> {
  const { entry, faults, onChange, ...rest } = props;
  return {
    ...rest,
    faults: faults
      .filter(({ path }) => path[0] === 'agents' && path[1] === String(at))
      .map(({ path, detail }) => ({ path: path.slice(2), detail })),
    onChange: (next) =>
      onChange({ ...entry, agents: choices.map((each, place) => (place === at ? next : each)) }),
  };
}

function AgentField({ entry, agents, faults, onChange }: EntryProps) {
  const { agent } = entry;
  const isKnown = agents.some(({ id }) => id === agent);
  return (
    <Field label="Agent" faults={faultsAt(faults, 'agent')}>
      {(ids) => (
        <Select
          {...ids}
          value={typeof agent === 'number' ? agent : ''}
          onChange={({ target }) =>
            onChange({ ...entry, agent: target.value === '' ? null : Number(target.value) })
          }
        >
          {typeof agent !== 'number' && <option value="">Choose one …</option>}
          {typeof agent === 'number' && !isKnown && <option value={agent}>agent {agent}, not active</option>}
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function NameField({ entry, faults, onChange }: EntryProps) {
  return (
    <Field
      label="Name for the model"
      hint="1 to 64 letters, digits, _ or -."
      faults={faultsAt(faults, 'name')}
    >
      {(ids) => (
        <Input
          {...ids}
          value={textOf(entry['name'])}
          maxLength={64}
          className="font-mono text-sm"
          onChange={({ target }) => onChange({ ...entry, name: target.value })}
        />
      )}
    </Field>
  );
}

function DescriptionField({ entry, faults, onChange }: EntryProps) {
  return (
    <Field
      label="Description"
      hint="The model reads it to know when to call."
      faults={faultsAt(faults, 'description')}
    >
      {(ids) => (
        <Input
          {...ids}
          value={textOf(entry['description'])}
          maxLength={2000}
          onChange={({ target }) => onChange({ ...entry, description: target.value })}
        />
      )}
    </Field>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
