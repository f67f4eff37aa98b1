import { Injectable } from '@nestjs/common';
import { ToolListingStore } from '#libs/persistence';
import { ToolCatalogue } from '#libs/tooling';
import { toPage, type Page } from '../http/page.js';
import type { OfferedTool, ToolListQuery } from './tools.dto.js';

/** Lists the tools that agents of a tenant may name. */
@Injectable()
export class ToolsService {
  constructor(
    private readonly builtin: ToolCatalogue,
    private readonly listings: ToolListingStore,
  ) {}

  /** Sorted by name: built-in tools, and tools that active servers offered when they were last probed. */
  async list(tenantId: string, { source, cursor, limit }: ToolListQuery): Promise<Page<OfferedTool>> {
    const all = [
      ...(source === 'server' ? [] : this.listBuiltin()),
      ...(source === 'builtin' ? [] : await this.listServers(tenantId)),
    ];
    const after = all
      .filter(({ name }) => cursor === undefined || name > cursor)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    return toPage(
      { rows: after.slice(0, limit), hasMore: after.length > limit },
      ({ name }: OfferedTool) => name,
    );
  }

  private listBuiltin(): OfferedTool[] {
    return this.builtin.describe().map(({ name, description, parameters }) => {
      const tool = this.builtin.find(name);
      return {
        ...{ name, description, tool: null, input_schema: parameters },
        effect: tool?.effect ?? 'unsafe',
        approval: tool?.approval === 'always',
        ...{ source: 'builtin' as const, server: null, listed_at: null, is_stale: false },
      };
    });
  }

  private async listServers(tenantId: string): Promise<OfferedTool[]> {
    const listings = await this.listings.list(tenantId);
    return listings.flatMap(({ server, tools, listed_at, is_stale }) =>
      tools.map((tool) => ({ ...tool, source: 'server' as const, server, listed_at, is_stale })),
    );
  }
}
