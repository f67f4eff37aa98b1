import { DocumentWarnings, rowText, type DocumentWarning, type ParsedBlock } from '#libs/knowledge';

export interface ReadDocument {
  /** The blocks that are not empty. */
  readonly blocks: readonly ParsedBlock[];
  /** The text of each block as chunks hold it. */
  readonly texts: readonly string[];
  readonly warnings: readonly DocumentWarning[];
}

type Parse = (
  document: { readonly bytes: Buffer; readonly charset: string | null },
  sink: {
    readonly write: (block: ParsedBlock) => Promise<void>;
    readonly warn: DocumentWarnings['add'];
  },
) => Promise<void>;

/** Parses a document and returns its blocks, texts and warnings. */
export async function readBy(parse: Parse, given: Buffer | string): Promise<ReadDocument> {
  const found: { readonly block: ParsedBlock; readonly text: string }[] = [];
  const warnings = new DocumentWarnings();
  const write = (block: ParsedBlock): Promise<void> => {
    const text = (block.kind === 'row' ? rowText(block.cells) : block.text).trim();
    if (text !== '') found.push({ block, text });
    return Promise.resolve();
  };
  await parse(
    { bytes: Buffer.from(given), charset: null },
    { write, warn: (code, page) => warnings.add(code, page) },
  );
  return {
    blocks: found.map(({ block }) => block),
    texts: found.map(({ text }) => text),
    warnings: warnings.list(),
  };
}
