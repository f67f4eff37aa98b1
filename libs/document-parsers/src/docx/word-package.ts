import { posix } from 'node:path';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { UnreadableDocumentError } from '#libs/knowledge';
import { readXml } from './read-xml.js';

/** Maximum unpacked bytes of one part; a thousand pages have about 20 MB. */
const MAX_PART_BYTES = 256 * 1_024 * 1_024;
const MAX_ENTRIES = 10_000;

/** A relationship of a part: the last segment of its type, and its target. */
interface Relationship {
  readonly type: string;
  readonly target: string;
}

/** Parts of a Word document, resolved by relationships (ECMA-376, part 2). */
export class WordPackage {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  static async open(bytes: Buffer): Promise<WordPackage> {
    return orDamaged(async () => {
      const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
      if (zip.entryCount > MAX_ENTRIES) throw new UnreadableDocumentError('too_complex');
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(keyOf(entry.fileName), entry);
      return new WordPackage(zip, entries);
    });
  }

  /** Name of the main part. Throws `wrong_type` for other packages, such as workbooks. */
  async mainPart(): Promise<string> {
    const [main] = (await this.relationshipsOf('')).filter(({ type }) => type === 'officeDocument');
    if (main === undefined || !this.entries.has(keyOf(main.target))) return 'word/document.xml';
    const type = await this.contentTypeOf(main.target);
    if (type !== null && !/wordprocessingml|ms-word/i.test(type))
      throw new UnreadableDocumentError('wrong_type');
    return main.target;
  }

  /** The target of a part's relationship of this type; null if there is none. */
  async related(part: string, type: string): Promise<string | null> {
    const found = (await this.relationshipsOf(part)).find((relationship) => relationship.type === type);
    return found !== undefined && this.entries.has(keyOf(found.target)) ? found.target : null;
  }

  /** Unpacks a part as a stream, so that a zip bomb is stopped early. */
  async *read(part: string): AsyncGenerator<Uint8Array> {
    const entry = this.entries.get(keyOf(part));
    if (entry === undefined) throw new UnreadableDocumentError('damaged');
    if (entry.isEncrypted()) throw new UnreadableDocumentError('encrypted');
    if (entry.uncompressedSize > MAX_PART_BYTES) throw new UnreadableDocumentError('too_complex');
    const stream = await orDamaged(() => this.zip.openReadStreamPromise(entry));
    let total = 0;
    try {
      for await (const bytes of stream as AsyncIterable<Buffer>) {
        total += bytes.length;
        if (total > MAX_PART_BYTES) throw new UnreadableDocumentError('too_complex');
        yield bytes;
      }
    } catch (error) {
      if (error instanceof UnreadableDocumentError) throw error;
      throw new UnreadableDocumentError('damaged');
    }
  }

  /** @param part name of the part; empty for the package itself */
  private async relationshipsOf(part: string): Promise<readonly Relationship[]> {
    const folder = posix.dirname(part);
    const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
    const found: Relationship[] = [];
    if (!this.entries.has(keyOf(name))) return found;
    await readXml(this.read(name), {
      open: (element, attributes) => {
        if (element !== 'Relationship' || attributes['TargetMode'] === 'External') return;
        const type = attributes['Type']?.split('/').at(-1) ?? '';
        const target = attributes['Target'] ?? '';
        const path = target.startsWith('/') ? target : posix.join('/', folder, target);
        found.push({ type, target: path.slice(1) });
      },
    });
    return found;
  }

  private async contentTypeOf(part: string): Promise<string | null> {
    let type: string | null = null;
    if (!this.entries.has(keyOf(CONTENT_TYPES))) return null;
    await readXml(this.read(CONTENT_TYPES), {
      open: (element, attributes) => {
        if (element === 'Override' && keyOf(attributes['PartName'] ?? '') === keyOf(part))
          type = attributes['ContentType'] ?? null;
      },
    });
    return type;
  }
}

const CONTENT_TYPES = '[Content_Types].xml';

/** Part names are case-insensitive (ECMA-376, part 2, 6.2.2.3). */
function keyOf(name: string): string {
  return name.replace(/^\//, '').toLowerCase();
}

async function orDamaged<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableDocumentError) throw error;
    throw new UnreadableDocumentError('damaged');
  }
}
