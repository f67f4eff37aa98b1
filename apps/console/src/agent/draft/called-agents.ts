import type { FieldFault } from '../../api/form-faults.js';
import type { JsonObject } from '../../format/json-object.js';

/** An entry of `tools.agents`: a tool for one agent (`agent`), or for a choice of several (`agents`). */
export type CalledAgent = JsonObject;

/** Entries of `tools.agents` of an agent; null where the value is no list of objects, and JSON alone can edit it. Pure. */
export function calledAgentsOf(tools: JsonObject): readonly CalledAgent[] | null {
  const { agents = [] } = tools;
  return isList(agents) ? agents : null;
}

/** Agents of a choice; null for a tool of one agent. Pure. */
export function choicesOf(entry: CalledAgent): readonly CalledAgent[] | null {
  const { agents } = entry;
  return isList(agents) ? agents : null;
}

function isList(value: unknown): value is readonly CalledAgent[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null);
}

/**
 * Faults of an entry of `tools.agents`, with their paths from there on. The API refuses an entry with gaps as a whole: the
 * gaps then stand in the place of that fault. Pure.
 */
export function faultsOfEntry(
  faults: readonly FieldFault[],
  index: number,
  entry: CalledAgent,
): FieldFault[] {
  const within = faults
    .filter(({ path: [field, key, at] }) => field === 'tools' && key === 'agents' && at === String(index))
    .map(({ path, detail }) => ({ path: path.slice(3), detail }));
  const isWhole = within.some(({ path }) => path.length === 0);
  const gaps = isWhole ? allGapsOf(entry) : [];
  return gaps.length === 0 ? within : [...within.filter(({ path }) => path.length > 0), ...gaps];
}

function allGapsOf(entry: CalledAgent): FieldFault[] {
  const ofChoices = (choicesOf(entry) ?? []).flatMap((choice, at) =>
    gapsOf(choice).map(({ path, detail }) => ({ path: ['agents', String(at), ...path], detail })),
  );
  return [...gapsOf(entry), ...ofChoices];
}

/** Fields of an entry, or of a choice, that are empty or cannot be a name. */
function gapsOf(entry: CalledAgent): FieldFault[] {
  const { agent, name, description } = entry;
  const isChoice = choicesOf(entry) !== null;
  return [
    ...(isChoice || typeof agent === 'number' ? [] : [{ path: ['agent'], detail: 'must be chosen' }]),
    ...(typeof name === 'string' && NAME.test(name) ? [] : [{ path: ['name'], detail: NAME_WORDS }]),
    ...(description === '' || description === undefined
      ? [{ path: ['description'], detail: 'must say what the agent is for' }]
      : []),
  ];
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const NAME_WORDS = 'must have 1 to 64 letters, digits, _ or -';

/** Where an agent is called by another. */
export interface Use {
  readonly agentId: number;
  readonly agentName: string;
  readonly isActive: boolean;
  /** Name of the tool or step that calls it. */
  readonly by: string;
  readonly kind: 'tool' | 'step';
}

interface UsingAgent {
  readonly id: number;
  readonly name: string;
  readonly is_active: boolean;
  readonly config: JsonObject;
  readonly tools: JsonObject;
}

/** All uses of an agent by others: as a tool, as a choice of one, or as a step of a pipeline. Pure. */
export function usesOf(id: number, agents: readonly UsingAgent[]): Use[] {
  return agents.flatMap(({ id: agentId, name: agentName, is_active: isActive, config, tools }) => {
    const user = { agentId, agentName, isActive };
    const byTools = (calledAgentsOf(tools) ?? []).flatMap((entry) => namesCalling(id, entry));
    const bySteps = stepsOf(config).filter((step) => stepCalls(id, step));
    return [
      ...byTools.map((by) => ({ ...user, by, kind: 'tool' as const })),
      ...bySteps.map((step, index) => ({
        ...user,
        by: textOf(step['name'], `step ${index + 1}`),
        kind: 'step' as const,
      })),
    ];
  });
}

function namesCalling(id: number, entry: CalledAgent): string[] {
  const name = textOf(entry['name'], 'a tool');
  if (entry['agent'] === id) return [name];
  const choices = (choicesOf(entry) ?? []).filter(({ agent }) => agent === id);
  return choices.map((choice) => `${name} (${textOf(choice['name'], String(id))})`);
}

function stepsOf({ steps }: JsonObject): readonly JsonObject[] {
  const list: readonly unknown[] = Array.isArray(steps) ? steps : [];
  return list.filter((step): step is JsonObject => typeof step === 'object' && step !== null);
}

/** A step may do another one for each item of a list (`do`). */
function stepCalls(id: number, step: JsonObject): boolean {
  const { agent, do: inner } = step;
  return (
    agent === id || (typeof inner === 'object' && inner !== null && 'agent' in inner && inner.agent === id)
  );
}

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
