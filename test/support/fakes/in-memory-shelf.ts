import {
  findWriteFault,
  foldersOf,
  type WorkspaceListing,
  type WorkspaceOwner,
  type WorkspaceShelf,
  type WorkspaceWrite,
  type WorkspaceWriting,
} from '#libs/tooling';

/** Workspaces in memory; every session exists. */
export class InMemoryShelf implements WorkspaceShelf {
  private readonly files = new Map<string, Map<string, Uint8Array>>();
  private readonly calls = new Set<string>();

  list(owner: WorkspaceOwner): Promise<WorkspaceListing> {
    const files = [...this.of(owner)].map(([path, bytes]) => ({ path, bytes: bytes.byteLength }));
    return Promise.resolve({ files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), isCut: false });
  }

  read(owner: WorkspaceOwner, path: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.of(owner).get(path) ?? null);
  }

  write(owner: WorkspaceOwner, { path, bytes, callKey }: WorkspaceWrite): Promise<WorkspaceWriting> {
    if (callKey !== null && this.calls.has(callKey)) return Promise.resolve('repeated');
    const files = this.of(owner);
    const others = [...files].filter(([other]) => other !== path);
    const use = {
      ...{ ownBytes: 0, tenantBytes: 0 },
      otherFiles: others.length,
      otherBytes: others.reduce((sum, [, { byteLength }]) => sum + byteLength, 0),
      isTaken: others.some(
        ([other]) => other.startsWith(`${path}/`) || foldersOf(path).some((folder) => folder === other),
      ),
    };
    const fault = findWriteFault(use, bytes.byteLength);
    if (fault !== null) return Promise.resolve(fault);
    if (callKey !== null) this.calls.add(callKey);
    const isNew = !files.has(path);
    files.set(path, bytes);
    return Promise.resolve(isNew ? 'created' : 'replaced');
  }

  private of({ tenantId, sessionId }: WorkspaceOwner): Map<string, Uint8Array> {
    const key = `${tenantId}/${sessionId}`;
    const files = this.files.get(key) ?? new Map<string, Uint8Array>();
    this.files.set(key, files);
    return files;
  }
}
