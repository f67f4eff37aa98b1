import { once } from 'node:events';
import { watchProcess, type WatchedLimits } from '#libs/bounded-process';
import { UnreadableDocumentError, type ParsedBlock } from '#libs/knowledge';
import { parseDocument } from './child/parse-document.js';
import type { ParseLine, ParseOrder } from './child/parse-protocol.js';
import { charsetOfMediaType } from './encoding/declared-charset.js';
import { sniffKind } from './sniff-kind.js';

/** Minimum characters of JSON per output line, except for the last one. */
const LINE_CHARS = 65_536;

/** Parses one document from standard input, writes lines to standard output, and ends. */
async function run(order: ParseOrder & WatchedLimits): Promise<void> {
  watchProcess(order);
  const parts: Buffer[] = [];
  for await (const part of process.stdin as AsyncIterable<Buffer>) parts.push(part);
  const bytes = Buffer.concat(parts.splice(0));
  const lines = new BlockLines();
  try {
    const kind = sniffKind(bytes, order.hints);
    await say({ kind });
    const document = { bytes, charset: charsetOfMediaType(order.hints.mediaType) };
    const warnings = await parseDocument(kind, document, order.mostChars, (block) => lines.add(block));
    await lines.flush();
    await say({ end: true, warnings });
  } catch (error) {
    if (!(error instanceof UnreadableDocumentError)) throw error;
    await lines.flush();
    await say({ fault: error.fault });
  }
}

class BlockLines {
  private blocks: ParsedBlock[] = [];
  private chars = 0;

  async add(block: ParsedBlock): Promise<void> {
    this.blocks.push(block);
    this.chars += JSON.stringify(block).length;
    if (this.chars >= LINE_CHARS) await this.flush();
  }

  async flush(): Promise<void> {
    const { blocks } = this;
    this.blocks = [];
    this.chars = 0;
    if (blocks.length > 0) await say({ blocks });
  }
}

async function say(line: ParseLine): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
}

// Unexpected errors count as a damaged document, not as a failure of the service.
try {
  await run(JSON.parse(process.argv[2] ?? '{}') as ParseOrder & WatchedLimits);
} catch {
  await say({ fault: 'damaged' });
}
process.exitCode = 0;
