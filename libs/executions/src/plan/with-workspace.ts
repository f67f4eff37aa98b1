import { WORKSPACE_TOOLS, type Workspace } from '#libs/policy';
import type { Claim } from '../ports/claim-store.js';
import type { WorkspaceFiles } from '../ports/workspace-files.js';
import type { UsableContext } from './usable-context.js';

/**
 * Adds the files of the conversation if the tenant has enabled its workspace, or the agent may call a tool over files
 * (S4-6).
 */
export async function withWorkspace(
  files: Pick<WorkspaceFiles, 'list'>,
  claim: Claim,
  usable: UsableContext,
): Promise<UsableContext & { readonly workspace: Workspace | null }> {
  const tools = workspaceToolsOf(usable);
  const isOn = usable.tenant.settings.workspace.enabled || tools.length > 0;
  if (!isOn) return { ...usable, workspace: null };
  const workspace = await files.list(claim);
  return { ...usable, workspace: tools.length === 0 ? workspace : { ...workspace, tools } };
}

function workspaceToolsOf({ tools }: UsableContext): readonly string[] {
  const { builtin } = tools;
  return Array.isArray(builtin) ? WORKSPACE_TOOLS.filter((name) => builtin.includes(name)) : [];
}
