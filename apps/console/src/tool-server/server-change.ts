import { isSameJson } from '../agent/draft/agent-draft.js';
import { configOf, type ServerDraft } from './server-draft.js';

/** Fields that the API takes, in the order of the form. */
const FIELDS = ['name', 'type', 'status', 'config', 'tools', 'limits'] as const;

/** Body of a server as it stands in the form. Pure. */
export const bodyOf = (draft: ServerDraft) => ({
  ...{ name: draft.name, type: draft.type, status: draft.status, tools: draft.tools, limits: draft.limits },
  config: configOf(draft),
});

/** Parts of the body that differ; a change of the type brings its configuration along. Pure. */
export function changedParts(before: ServerDraft, after: ServerDraft): Partial<ReturnType<typeof bodyOf>> {
  const [old, now] = [bodyOf(before), bodyOf(after)];
  const names = FIELDS.filter((name) => !isSameJson(old[name], now[name]));
  const whole = names.includes('type') && !names.includes('config') ? [...names, 'config' as const] : names;
  return Object.fromEntries(whole.map((name) => [name, now[name]]));
}

/** Fields of the form that were changed here stay; all others are as stored now. Pure. */
export function rebasedServer(draft: ServerDraft, base: ServerDraft, theirs: ServerDraft): ServerDraft {
  const mine = Object.entries(draft).filter(
    ([name, value]) => !isSameJson(base[name as keyof ServerDraft], value),
  );
  return { ...theirs, ...Object.fromEntries(mine) };
}
