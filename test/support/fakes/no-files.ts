import type { WorkspaceFiles } from '#libs/executions';

/** Empty workspaces. */
export const NO_FILES: WorkspaceFiles = {
  list: () => Promise.resolve({ path: '/files', files: [], isCut: false }),
  open: () => Promise.resolve([]),
};
