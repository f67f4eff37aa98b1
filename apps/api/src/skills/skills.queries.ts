import { Injectable } from '@nestjs/common';
import { SkillStore, type SkillSummary, type SkillView, type Versioned } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { SkillListQuery } from './skills.dto.js';
import { skillNotFound } from './skills.faults.js';

/** Reading the skills of a tenant. */
@Injectable()
export class SkillsQueries {
  constructor(private readonly skills: SkillStore) {}

  /** By id, ascending, without their contents. */
  async list(tenantId: string, { limit, cursor: afterId }: SkillListQuery): Promise<Page<SkillSummary>> {
    return toPage(await this.skills.list(tenantId, { afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: number): Promise<Versioned<SkillView>> {
    const skill = await this.skills.find(tenantId, id);
    if (skill === null) throw skillNotFound();
    return skill;
  }
}
