import type { ParsedBlock } from '#libs/knowledge';
import { DocxTable } from './docx-table.js';
import { FormulaText } from './formula-text.js';
import type { Attributes, XmlHandler } from './read-xml.js';
import { SkippedContent } from './skipped-content.js';

const HEADING_STYLE = /^(?:heading|berschrift|überschrift|titre|見出し)\s*([1-9])$/i;
const MAX_LEVEL = 6;

/** A container of paragraphs: the body or a text box. */
interface Frame {
  readonly parts: string[];
  /** Texts of boxes anchored in the paragraph, written after it. */
  readonly boxes: string[];
  tables: number;
}

/** Converts the elements of a Word document part to blocks (ECMA-376, part 1, 17), in order. */
export class DocxBlocks implements XmlHandler {
  private readonly frames: Frame[] = [];
  private frame: Frame = newFrame();
  private readonly skipped = new SkippedContent();
  private readonly formula = new FormulaText();
  private isText = false;
  private level: number | null = null;
  private table: DocxTable | null = null;
  private notes: string[] = [];

  constructor(
    private readonly emit: (block: ParsedBlock) => void,
    /** Text of a referenced note, by kind and id; null if there is none or it was already returned. */
    private readonly takeNote: (kind: NoteKind, id: string) => string | null = () => null,
  ) {}

  readonly open = (name: string, attributes: Attributes): void => {
    if (!this.skipped.enter(name, attributes)) return;
    if (this.formula.isOpen || name === 'm:oMath') this.formula.open(name, attributes);
    switch (name) {
      case 'w:t':
      case 'm:t':
        this.isText = true;
        return;
      case 'w:tab':
        this.frame.parts.push('\t');
        return;
      case 'w:br':
      case 'w:cr':
        this.frame.parts.push('\n');
        return;
      case 'w:noBreakHyphen':
        this.frame.parts.push('-');
        return;
      case 'w:pStyle':
        this.level = levelOf(attributes['w:val'] ?? '');
        return;
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        this.addNote(name === 'w:footnoteReference' ? 'footnote' : 'endnote', attributes['w:id'] ?? '');
        return;
      case 'w:txbxContent':
        this.frames.push(this.frame);
        this.frame = newFrame();
        return;
      case 'w:tbl':
        this.frame.tables += 1;
        if (this.isOutermostTable) this.table = new DocxTable(this.emit);
        return;
      default:
        // All other elements are formatting or table structure.
        if (this.isOutermostTable) this.table?.open(name, attributes);
    }
  };

  readonly text = (text: string): void => {
    if (!this.isText || this.skipped.isSkipping) return;
    if (this.formula.isOpen) this.formula.add(text);
    else this.frame.parts.push(text);
  };

  readonly close = (name: string): void => {
    if (!this.skipped.leave(name)) return;
    if (this.formula.isOpen) {
      const formula = this.formula.close(name);
      if (formula !== null) this.frame.parts.push(formula);
    }
    switch (name) {
      case 'w:t':
      case 'm:t':
        this.isText = false;
        return;
      case 'w:p':
        this.endParagraph();
        return;
      case 'w:txbxContent':
        this.endBox();
        return;
      case 'w:tc':
        if (this.isOutermostTable) this.table?.endCell(this.takenWithBoxes());
        return;
      case 'w:tr':
        if (this.isOutermostTable) this.endRow();
        return;
      case 'w:tbl':
        this.frame.tables = Math.max(0, this.frame.tables - 1);
        return;
      default:
        return;
    }
  };

  private get isOutermostTable(): boolean {
    return this.frames.length === 0 && this.frame.tables === 1;
  }

  private addNote(kind: NoteKind, id: string): void {
    const note = this.takeNote(kind, id);
    if (note !== null) this.notes.push(note);
  }

  private endParagraph(): void {
    // Paragraphs within a table belong to their cell, those within a box to the box.
    if (this.frame.tables > 0 || this.frames.length > 0) {
      this.frame.parts.push('\n');
      return;
    }
    const { level } = this;
    const text = this.taken();
    this.level = null;
    if (text !== '') this.emit(level === null ? { kind: 'text', text } : { kind: 'heading', level, text });
    for (const box of this.frame.boxes.splice(0)) this.emit({ kind: 'text', text: box });
    this.emitNotes();
  }

  private endBox(): void {
    const text = this.takenWithBoxes();
    const outer = this.frames.pop();
    if (outer === undefined) return;
    this.frame = outer;
    if (text !== '') outer.boxes.push(text);
  }

  private endRow(): void {
    this.level = null;
    this.table?.endRow();
    this.emitNotes();
  }

  private emitNotes(): void {
    for (const text of this.notes.splice(0)) this.emit({ kind: 'text', text });
  }

  private takenWithBoxes(): string {
    return [this.taken(), ...this.frame.boxes.splice(0)].filter((text) => text !== '').join('\n');
  }

  private taken(): string {
    return this.frame.parts.splice(0).join('').trim();
  }
}

export type NoteKind = 'footnote' | 'endnote';

function newFrame(): Frame {
  return { parts: [], boxes: [], tables: 0 };
}

/** Word writes style ids such as `Heading1` in the language of its installation. */
function levelOf(style: string): number | null {
  if (/^title$/i.test(style)) return 1;
  const level = HEADING_STYLE.exec(style)?.[1];
  return level === undefined ? null : Math.min(MAX_LEVEL, Number(level));
}
