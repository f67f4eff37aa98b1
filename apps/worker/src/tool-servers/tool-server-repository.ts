import { Inject, Injectable } from '@nestjs/common';
import { ToolServerStore, type SealedToolServer } from '#libs/persistence';
import { SecretBox, toolServerPlace } from '#libs/secrets';
import type { ToolServerShelf } from '#libs/tool-sources';
import {
  restoreLiterals,
  toolServerConnectionSchema,
  type TemplateLiterals,
  type ToolServer,
} from '#libs/tooling';

/** Maximum characters of cached configurations; one API description may have millions. */
const MAX_CHARACTERS = 50_000_000;
/** Minimum size that each configuration counts as, in characters. */
const CHARACTERS_OF_EACH = 1_000;

interface Kept {
  readonly server: ToolServer;
  readonly characters: number;
}

/** Stored tool servers, cached by version within a size limit; the oldest are evicted first. */
@Injectable()
export class ToolServerRepository implements ToolServerShelf {
  private readonly kept = new Map<string, Kept>();
  private characters = 0;

  constructor(
    @Inject(ToolServerStore)
    private readonly store: Pick<ToolServerStore, 'listActive' | 'findSealed'>,
    private readonly box: SecretBox,
  ) {}

  listActive(tenantId: string): ReturnType<ToolServerShelf['listActive']> {
    return this.store.listActive(tenantId);
  }

  async read(tenantId: string, id: string, version: number): Promise<ToolServer | null> {
    const known = this.kept.get(id);
    if (known !== undefined && known.server.version === version && known.server.tenantId === tenantId)
      return known.server;
    const row = await this.store.findSealed(tenantId, id);
    if (row?.status !== 'active') return null;
    const server = openToolServer(row, this.box);
    this.keep(server);
    return server;
  }

  private keep(server: ToolServer): void {
    this.drop(server.id);
    const characters = CHARACTERS_OF_EACH + JSON.stringify(server.config).length;
    if (characters > MAX_CHARACTERS) return;
    this.kept.set(server.id, { server, characters });
    this.characters += characters;
    for (const oldest of this.kept.keys()) {
      if (this.characters <= MAX_CHARACTERS) break;
      this.drop(oldest);
    }
  }

  private drop(id: string): void {
    this.characters -= this.kept.get(id)?.characters ?? 0;
    this.kept.delete(id);
  }
}

/** Inserts the server's secrets. Throws `SECRET_UNREADABLE` if they cannot be opened. */
export function openToolServer(row: SealedToolServer, box: SecretBox): ToolServer {
  const { id, tenantId, name, type, version, tools, limits } = row;
  const config = restoreLiterals(row.config, literalsOf(row, box));
  const connection = toolServerConnectionSchema.parse({ type, config });
  return { ...connection, id, tenantId, name, version, tools, limits };
}

function literalsOf(row: SealedToolServer, box: SecretBox): TemplateLiterals {
  if (row.literalsSealed === null) return {};
  return JSON.parse(box.open(row.literalsSealed, toolServerPlace(row.tenantId, row.id))) as TemplateLiterals;
}
