import { MAX_MEMORIES, type KnownMemory } from '#libs/policy';
import { isPinned, memoryKey, toMemoryText, type MemoryView } from '../memories/memory.js';
import type { KeptFact } from '../memories/memory-proposal.js';
import type { MemoryWrites } from '../memories/judge-proposal.js';
import {
  MemoryStore,
  type MemoryChange,
  type MemoryCreation,
  type MemoryFilter,
  type VersionedMemory,
} from '../memories/memory-store.js';

interface KeptMemory {
  readonly tenantId: string;
  view: MemoryView;
  version: number;
  /** Counts all changes of the store: when this one was changed last. */
  changedAt: number;
}

type MemorySource = Pick<MemoryView, 'origin' | 'agent_id' | 'execution_id' | 'is_foreign'>;

const BY_PERSON: MemorySource = { origin: 'person', agent_id: null, execution_id: null, is_foreign: false };

/** Whose memories. */
interface Owner {
  readonly tenantId: string;
  readonly executorId: string;
}

/** Memories of executors in memory. No time passes here but by what happens. */
export class InMemoryMemories extends MemoryStore {
  private memories: KeptMemory[] = [];
  /** Keys of facts that persons changed or deleted, by owner. */
  private readonly unwanted = new Map<string, Set<string>>();
  private readonly erasures = new Map<string, number>();
  private lastId = 0;
  private now = 0;

  /** The number of what happens next: what happened before has a lower one. */
  tick(): number {
    this.now += 1;
    return this.now;
  }

  override list(tenantId: string, { executorId, agentId, afterId = 0, limit }: MemoryFilter) {
    const found = this.memories.filter(
      ({ tenantId: owner, view }) =>
        owner === tenantId &&
        view.id > afterId &&
        (executorId === undefined || view.executor_id === executorId) &&
        (agentId === undefined || view.agent_id === agentId),
    );
    const rows = found.slice(0, limit).map(({ view }) => view);
    return Promise.resolve({ rows, hasMore: found.length > limit });
  }

  override find(tenantId: string, id: number): Promise<VersionedMemory | null> {
    const kept = this.findKept(tenantId, id);
    return Promise.resolve(kept === null ? null : { view: kept.view, version: kept.version });
  }

  override create(tenantId: string, executorId: string, given: string): Promise<MemoryCreation> {
    const owner = { tenantId, executorId };
    const text = toMemoryText(given);
    if (this.isThere(owner, text)) return Promise.resolve({ kind: 'exists' });
    if (this.of(owner).length >= MAX_MEMORIES) return Promise.resolve({ kind: 'too_many' });
    this.unwantedOf(owner).delete(memoryKey(text));
    const { view, version } = this.add(owner, text, BY_PERSON);
    return Promise.resolve({ kind: 'created', view, version });
  }

  override change(
    tenantId: string,
    id: number,
    given: string,
    expected: readonly number[] | null,
  ): Promise<MemoryChange> {
    const kept = this.findKept(tenantId, id);
    if (kept === null) return Promise.resolve({ kind: 'not_found' });
    if (expected !== null && !expected.includes(kept.version))
      return Promise.resolve({ kind: 'other_version' });
    const owner = { tenantId, executorId: kept.view.executor_id };
    const text = toMemoryText(given);
    if (this.isThere(owner, text, id)) return Promise.resolve({ kind: 'exists' });
    const unwanted = this.unwantedOf(owner).add(memoryKey(kept.view.text));
    unwanted.delete(memoryKey(text));
    this.write(kept, { text, is_edited: kept.view.origin === 'extraction', is_foreign: false });
    return Promise.resolve({ kind: 'changed', view: kept.view, version: kept.version });
  }

  override delete(tenantId: string, id: number, expected: readonly number[] | null) {
    const kept = this.findKept(tenantId, id);
    if (kept === null) return Promise.resolve('not_found' as const);
    if (expected !== null && !expected.includes(kept.version))
      return Promise.resolve('other_version' as const);
    this.unwantedOf({ tenantId, executorId: kept.view.executor_id }).add(memoryKey(kept.view.text));
    this.memories = this.memories.filter((memory) => memory !== kept);
    return Promise.resolve('deleted' as const);
  }

  override forget(tenantId: string, executorId: string): Promise<void> {
    const owner = { tenantId, executorId };
    const gone = new Set(this.of(owner));
    this.memories = this.memories.filter((memory) => !gone.has(memory));
    this.unwanted.delete(nameOf(owner));
    this.erasures.set(nameOf(owner), this.tick());
    return Promise.resolve();
  }

  /** What a prompt may hold, oldest first. */
  known(owner: Owner): readonly KnownMemory[] {
    return this.of(owner).map(({ view }) => ({
      ...{ text: view.text, isPinned: isPinned(view), isForeign: view.is_foreign },
    }));
  }

  /** What a job goes by, oldest change first. */
  facts(owner: Owner): readonly KeptFact[] {
    return this.of(owner)
      .toSorted((one, other) => one.changedAt - other.changedAt)
      .map(({ view }) => ({
        ...{ id: view.id, text: view.text, isPinned: isPinned(view), isForeign: view.is_foreign },
      }));
  }

  isUnwanted(owner: Owner, key: string): boolean {
    return this.unwantedOf(owner).has(key);
  }

  /** Whether everything of the owner was forgotten since then. */
  isForgottenSince(owner: Owner, acceptedAt: number): boolean {
    return (this.erasures.get(nameOf(owner)) ?? 0) >= acceptedAt;
  }

  /** What a job has decided. */
  apply(
    owner: Owner,
    { agentId, executionId }: { readonly agentId: number; readonly executionId: string },
    { inserted, updated, deleted }: MemoryWrites,
    isForeign: boolean,
  ): void {
    const learnt = { agent_id: agentId, execution_id: executionId, is_foreign: isForeign };
    this.memories = this.memories.filter(({ view }) => !deleted.includes(view.id));
    for (const { id, text } of updated) {
      const kept = this.findKept(owner.tenantId, id);
      if (kept !== null) this.write(kept, { text, ...learnt });
    }
    for (const text of inserted) this.add(owner, text, { origin: 'extraction', ...learnt });
  }

  private of({ tenantId, executorId }: Owner): KeptMemory[] {
    return this.memories.filter(
      ({ tenantId: owner, view }) => owner === tenantId && view.executor_id === executorId,
    );
  }

  private findKept(tenantId: string, id: number): KeptMemory | null {
    return this.memories.find((memory) => memory.tenantId === tenantId && memory.view.id === id) ?? null;
  }

  private isThere(owner: Owner, text: string, exceptId?: number): boolean {
    const key = memoryKey(text);
    return this.of(owner).some(({ view }) => view.id !== exceptId && memoryKey(view.text) === key);
  }

  private add({ tenantId, executorId }: Owner, text: string, source: MemorySource): KeptMemory {
    this.lastId += 1;
    const at = new Date(0).toISOString();
    const kept = {
      tenantId,
      view: {
        ...{ id: this.lastId, executor_id: executorId, text, ...source, is_edited: false },
        ...{ created_at: at, updated_at: at },
      },
      ...{ version: 1, changedAt: this.tick() },
    };
    this.memories.push(kept);
    return kept;
  }

  private write(kept: KeptMemory, change: Partial<MemoryView>): void {
    kept.view = { ...kept.view, ...change };
    kept.version += 1;
    kept.changedAt = this.tick();
  }

  private unwantedOf(owner: Owner): Set<string> {
    const name = nameOf(owner);
    const keys = this.unwanted.get(name) ?? new Set();
    this.unwanted.set(name, keys);
    return keys;
  }
}

function nameOf({ tenantId, executorId }: Owner): string {
  return JSON.stringify([tenantId, executorId]);
}
