import type { NewApiKey } from '../../api/types.js';

export type Scope = NewApiKey['scopes'][number];

/** All scopes with what a key with it may do. */
export const SCOPES: Readonly<Record<Scope, string>> = {
  'executions:write': 'Submit, cancel and retry runs, upload files',
  'executions:read': 'Read runs, sessions, usage and files',
  'approvals:decide': 'Approve or refuse tool calls',
  'agents:write': 'Change agents, models, tools, skills and documents',
  'agents:read': 'Read agents, models, tools, skills and documents',
  'webhooks:write': 'Manage webhooks and their secrets',
  'audit:read': 'Read the steps of runs and the log of sessions',
  'sessions:write': 'Rename, archive, reset and delete sessions',
  'tools:try': 'Call a tool without a run',
  'connections:write': 'Manage consents to tool servers',
  'memories:read': 'Read memories',
  'memories:write': 'Change and delete memories',
  admin: 'Manage API keys, tenants and sign-ins, see workers and all tenants',
};

export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];
