import { Injectable } from '@nestjs/common';
import {
  ToolServerStore,
  type Named,
  type ToolServerFields,
  type ToolServerView,
  type Versioned,
} from '#libs/persistence';
import { ServerConfigKeeper } from '../mcp-servers/server-config-keeper.js';
import { ToolServersService } from '../mcp-servers/mcp-servers.service.js';
import { ByName, unlessRefused } from './apply-by-name.js';
import { changedFields } from './changed-fields.js';

/** Place of a configuration that is only judged. */
const NOWHERE = '00000000-0000-0000-0000-000000000000';

/** Tool servers by name. Texts of templates are compared with the stored ones; null keeps them. */
@Injectable()
export class ToolServersByName extends ByName<ToolServerFields, ToolServerView> {
  readonly kind = 'mcp-servers';

  constructor(
    private readonly servers: ToolServerStore,
    private readonly service: ToolServersService,
    private readonly keeper: ServerConfigKeeper,
  ) {
    super();
  }

  find(tenantId: string, name: string): Promise<Named<Versioned<ToolServerView>>> {
    return this.servers.findByName(tenantId, name);
  }

  async check(tenantId: string, fields: ToolServerFields): Promise<void> {
    await this.keeper.keep({ tenantId, serverId: NOWHERE }, fields, null);
  }

  async compare(
    tenantId: string,
    { view: before }: Versioned<ToolServerView>,
    fields: ToolServerFields,
  ): Promise<string[]> {
    const stored = await this.servers.findSealed(tenantId, before.id);
    const kept = await this.keeper.keep({ tenantId, serverId: before.id }, fields, stored);
    const changed = changedFields({ ...before }, { ...fields, config: kept.config });
    const isKept = stored !== null && this.keeper.hasStoredLiterals(stored, kept);
    return isKept || changed.includes('config') ? changed : [...changed, 'config'];
  }

  create(tenantId: string, fields: ToolServerFields): Promise<Versioned<ToolServerView> | null> {
    return unlessRefused(this.service.create(tenantId, fields), 'TOOL_SERVER_NAME_TAKEN');
  }

  replace(
    tenantId: string,
    { view, version }: Versioned<ToolServerView>,
    fields: ToolServerFields,
  ): Promise<Versioned<ToolServerView> | null> {
    return unlessRefused(
      this.service.change(tenantId, view.id, fields, [version]),
      'VERSION_CHANGED',
      'NOT_FOUND',
    );
  }
}
