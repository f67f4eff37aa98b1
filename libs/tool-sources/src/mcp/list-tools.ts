import { z } from 'zod';
import type { McpConnection } from './mcp-connection.js';
import { foreignSpeech } from './mcp-failure.js';
import { readTools, type OfferedTool } from './read-tools.js';
import type { Warnings } from './warnings.js';

const MAX_PAGES = 32;
const MAX_TOOLS = 1_000;
const MAX_CURSOR = 4_096;

const pageSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().nullish().catch(null),
});

/**
 * Lists all tools of a server, page by page. Bounds pages and tools and detects repeated cursors, so that a server
 * cannot keep the listing going. Rejects with an `McpFailure` for a malformed page.
 */
export async function listTools(
  connection: McpConnection,
  signal: AbortSignal,
  warnings: Warnings,
): Promise<OfferedTool[]> {
  const listed: unknown[] = [];
  const seen = new Set<string | null>();
  let cursor: string | null = null;
  for (let pages = 0; !seen.has(cursor); pages += 1) {
    if (pages >= MAX_PAGES || listed.length > MAX_TOOLS) {
      warnings.add(
        `only the first ${Math.min(MAX_TOOLS, listed.length)} tools are offered: the list goes on too long`,
      );
      break;
    }
    seen.add(cursor);
    const page = pageSchema.safeParse(await connection.listTools(cursor, signal));
    if (!page.success) throw foreignSpeech('what the server answered is no list of tools');
    listed.push(...page.data.tools.slice(0, MAX_TOOLS + 1));
    const next = page.data.nextCursor ?? '';
    if (next === '') break;
    if (next.length > MAX_CURSOR || seen.has(next))
      warnings.add('the list of tools ends early: it leads in a circle');
    cursor = next.length > MAX_CURSOR ? null : next;
  }
  if (listed.length === 0) warnings.add('the server lists no tools');
  return readTools(listed.slice(0, MAX_TOOLS), warnings);
}
