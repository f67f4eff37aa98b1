import type { ParsedBlock } from '#libs/knowledge';

/** What a parser gives its blocks to, one after the other; waits where whoever reads them is slower. */
export type WriteBlock = (block: ParsedBlock) => Promise<void>;

/** Makes blocks of a document of one kind. Throws `UnreadableDocumentError` where the document is at fault. */
export type ParseKind = (bytes: Buffer, write: WriteBlock) => Promise<void>;
