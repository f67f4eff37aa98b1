import { Injectable } from '@nestjs/common';
import {
  SkillStore,
  type SkillSummary,
  type SkillView,
  type Versioned,
  type ExpectedVersions,
  type SkillFields,
} from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import { byId, toPage, type Page } from '../http/page.js';
import { otherVersion } from '../http/entity-tag.js';
import type { SkillListQuery, SkillPatchDto } from './skills.dto.js';
import { skillNotFound, skillNameTaken, tooManySkills } from './skills.errors.js';

/** Lists and changes the skills of a tenant. */
@Injectable()
export class SkillsService {
  constructor(private readonly skills: SkillStore) {}

  /** Sorted by ascending id, without contents. */
  async list(tenantId: string, { limit, cursor: afterId }: SkillListQuery): Promise<Page<SkillSummary>> {
    return toPage(await this.skills.list(tenantId, { afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: number): Promise<Versioned<SkillView>> {
    const skill = await this.skills.find(tenantId, id);
    if (skill === null) throw skillNotFound();
    return skill;
  }

  /** Throws `SKILL_NAME_TAKEN`, `TOO_MANY_SKILLS`. */
  async create(tenantId: string, fields: SkillFields): Promise<Versioned<SkillView>> {
    const creation = await this.skills.create(tenantId, fields);
    switch (creation.kind) {
      case 'created':
        return creation;
      case 'name_taken':
        throw skillNameTaken();
      case 'too_many':
        throw tooManySkills();
      default:
        return assertNever(creation);
    }
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`, `SKILL_NAME_TAKEN`. */
  async change(
    tenantId: string,
    id: number,
    { name, description, content, is_active }: SkillPatchDto,
    expected: ExpectedVersions,
  ): Promise<Versioned<SkillView>> {
    const given = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(content !== undefined && { content }),
      ...(is_active !== undefined && { is_active }),
    };
    const change = await this.skills.update(tenantId, id, given, expected);
    switch (change.kind) {
      case 'changed':
        return change;
      case 'not_found':
        throw skillNotFound();
      case 'other_version':
        throw otherVersion();
      case 'name_taken':
        throw skillNameTaken();
      default:
        return assertNever(change);
    }
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async delete(tenantId: string, id: number, expected: ExpectedVersions): Promise<void> {
    const deletion = await this.skills.delete(tenantId, id, expected);
    if (deletion === 'not_found') throw skillNotFound();
    if (deletion === 'other_version') throw otherVersion();
  }
}
