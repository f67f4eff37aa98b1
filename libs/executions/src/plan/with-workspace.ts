import type { Workspace } from '#libs/policy';
import type { Claim } from '../ports/claim-store.js';
import type { WorkspaceFiles } from '../ports/workspace-files.js';
import type { UsableContext } from './usable-context.js';

/** Adds the files of the conversation if the tenant has enabled its workspace (S4-6). */
export async function withWorkspace(
  files: Pick<WorkspaceFiles, 'list'>,
  claim: Claim,
  usable: UsableContext,
): Promise<UsableContext & { readonly workspace: Workspace | null }> {
  const isOn = usable.tenant.settings.workspace.enabled;
  return { ...usable, workspace: isOn ? await files.list(claim) : null };
}
