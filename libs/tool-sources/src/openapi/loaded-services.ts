import type { InputReader, ToolServerOf } from '#libs/tooling';
import { DescriptionReader } from './apart/description-reader.js';
import { DocumentFault } from './document-fault.js';
import { compiledOnce } from './loaded-service.js';
import type { DescriptionText } from './parse-description.js';
import { prepareWithin, type OfferedOperation, type PreparedService } from './prepare-service.js';

/** An offered operation; its schema is compiled on the first call. */
export type LoadedOperation = OfferedOperation & { readonly readInput: InputReader };

/** A parsed description, or the reason why it is unusable. */
export type LoadedService =
  | (Omit<PreparedService, 'operations'> & { readonly operations: readonly LoadedOperation[] })
  | { readonly fault: string };

/**
 * Limits for preparing a description within this process: at most 5 ms on a slow machine, apart from cold code. Every
 * part of the work is bounded by these limits, or at most quadratic in the short text.
 */
const MAX_CHARS_HERE = 4_096;
const LIMITS_HERE = { schemas: 250, steps: 2_500, chars: 32_768 };

/** Maximum characters of all cached descriptions, counting the larger of the text and the prepared service. */
const MAX_CHARACTERS = 24_000_000;
/** Characters added per cached description for its fixed memory. */
const CHARACTERS_OF_EACH = 2_000;

interface Kept {
  readonly loading: Promise<LoadedService>;
  length: number;
}

/**
 * LRU cache of parsed descriptions by server and version: reading a large one takes seconds in a separate process, and
 * every run needs it.
 */
export class LoadedServices {
  private readonly kept = new Map<string, Kept>();
  private length = 0;

  constructor(
    private readonly reader: Pick<DescriptionReader, 'prepare'> = new DescriptionReader(),
    private readonly mostCharacters = MAX_CHARACTERS,
  ) {}

  /** Rejects if the reading process cannot run; this is not cached. */
  async get({
    id,
    tenantId,
    version,
    config: { document },
  }: Pick<ToolServerOf<'openapi'>, 'id' | 'tenantId' | 'version' | 'config'>): Promise<LoadedService> {
    const key = `${id}/${version}`;
    const known = this.kept.get(key);
    this.forget(key);
    const entry = known ?? { loading: this.load(tenantId, document), length: lengthOf(document) };
    this.keep(key, entry);
    try {
      const loaded = await entry.loading;
      if (known === undefined && this.kept.get(key) === entry) this.weigh(key, entry, loaded);
      return loaded;
    } catch (error) {
      if (this.kept.get(key) === entry) this.forget(key);
      throw error;
    }
  }

  /** Number of cached descriptions. */
  get size(): number {
    return this.kept.size;
  }

  private async load(tenantId: string, document: DescriptionText): Promise<LoadedService> {
    const prepared = prepareHere(document) ?? (await this.reader.prepare(tenantId, document));
    if ('fault' in prepared) return prepared;
    const operations = prepared.operations.map((offered) => ({
      ...offered,
      readInput: compiledOnce(offered.arguments.inputSchema),
    }));
    return { ...prepared, operations };
  }

  private keep(key: string, entry: Kept): void {
    this.kept.set(key, entry);
    this.length += entry.length;
    for (const oldest of this.kept.keys()) {
      if (this.length <= this.mostCharacters || oldest === key) break;
      this.forget(oldest);
    }
  }

  private weigh(key: string, entry: Kept, loaded: LoadedService): void {
    const made = 'fault' in loaded ? 0 : loaded.operations.reduce((sum, each) => sum + lengthOfTool(each), 0);
    this.forget(key);
    entry.length = Math.max(entry.length, CHARACTERS_OF_EACH + made);
    this.keep(key, entry);
  }

  private forget(key: string): void {
    this.length -= this.kept.get(key)?.length ?? 0;
    this.kept.delete(key);
  }
}

/** Prepares a small service; null for larger ones and for YAML, which may expand beyond its length. */
function prepareHere(document: DescriptionText): LoadedServiceSource | null {
  if (typeof document !== 'string' || document.length > MAX_CHARS_HERE || !isJson(document)) return null;
  try {
    return prepareWithin(document, LIMITS_HERE);
  } catch (error) {
    if (error instanceof DocumentFault) return { fault: error.message };
    throw error;
  }
}

type LoadedServiceSource = PreparedService | { readonly fault: string };

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lengthOfTool({ arguments: { inputSchema } }: OfferedOperation): number {
  return JSON.stringify(inputSchema).length;
}

function lengthOf(document: DescriptionText): number {
  const texts = typeof document === 'string' ? [document] : Object.values(document.files);
  return texts.reduce((sum, { length }) => sum + length, CHARACTERS_OF_EACH);
}
