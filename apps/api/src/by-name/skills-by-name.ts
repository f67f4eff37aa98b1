import { Injectable } from '@nestjs/common';
import { SkillStore, type Named, type SkillFields, type SkillView, type Versioned } from '#libs/persistence';
import { SkillsService } from '../skills/skills.service.js';
import { ByName, unlessRefused } from './apply-by-name.js';
import { changedFields } from './changed-fields.js';

/** Skills by name. */
@Injectable()
export class SkillsByName extends ByName<SkillFields, SkillView> {
  readonly kind = 'skills';

  constructor(
    private readonly skills: SkillStore,
    private readonly service: SkillsService,
  ) {
    super();
  }

  find(tenantId: string, name: string): Promise<Named<Versioned<SkillView>>> {
    return this.skills.findByName(tenantId, name);
  }

  async check(): Promise<void> {}

  async compare(
    _tenantId: string,
    { view: before }: Versioned<SkillView>,
    fields: SkillFields,
  ): Promise<string[]> {
    return changedFields({ ...before }, { ...fields });
  }

  create(tenantId: string, fields: SkillFields): Promise<Versioned<SkillView> | null> {
    return unlessRefused(this.service.create(tenantId, fields), 'SKILL_NAME_TAKEN');
  }

  replace(
    tenantId: string,
    { view, version }: Versioned<SkillView>,
    fields: SkillFields,
  ): Promise<Versioned<SkillView> | null> {
    return unlessRefused(
      this.service.change(tenantId, view.id, fields, [version]),
      'VERSION_CHANGED',
      'NOT_FOUND',
    );
  }
}
