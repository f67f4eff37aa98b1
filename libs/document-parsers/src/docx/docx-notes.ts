import { DocxBlocks, type NoteKind } from './docx-blocks.js';
import { readXml } from './read-xml.js';
import type { WordPackage } from './word-package.js';

/** Maximum characters of all notes, which stay in memory until the text refers to them. */
const MAX_NOTE_CHARS = 10_000_000;

/** Notes of a document, by kind and id. */
export class DocxNotes {
  /** True if notes were dropped beyond the limit. */
  isCut = false;
  private readonly texts = new Map<string, string>();
  private left = MAX_NOTE_CHARS;

  async read(word: WordPackage, mainPart: string): Promise<void> {
    for (const kind of ['footnote', 'endnote'] as const) {
      const part = await word.related(mainPart, `${kind}s`);
      if (part !== null) await this.readPart(word, part, kind);
    }
  }

  /** Returns each note once, at its first reference. */
  take(kind: NoteKind, id: string): string | null {
    const key = `${kind} ${id}`;
    const text = this.texts.get(key) ?? null;
    this.texts.delete(key);
    return text;
  }

  private async readPart(word: WordPackage, part: string, kind: NoteKind): Promise<void> {
    let id: string | null = null;
    let texts: string[] = [];
    const blocks = new DocxBlocks((block) => {
      texts.push(block.kind === 'row' ? block.cells.map(([, value]) => value).join('; ') : block.text);
    });
    await readXml(word.read(part), {
      open: (name, attributes) => {
        if (name === `w:${kind}`) [id, texts] = [attributes['w:id'] ?? null, []];
        blocks.open(name, attributes);
      },
      text: blocks.text,
      close: (name) => {
        blocks.close(name);
        if (name !== `w:${kind}` || id === null) return;
        this.keep(`${kind} ${id}`, texts.join('\n'));
        id = null;
      },
    });
  }

  private keep(key: string, text: string): void {
    if (text === '') return;
    this.left -= text.length;
    if (this.left < 0) this.isCut = true;
    else this.texts.set(key, text);
  }
}
