import { MoreThan, type DataSource, type Repository } from 'typeorm';
import { SkillEntity } from '../entities/skill.entity.js';
import type { RowsOfPage } from '../rows/bounded-page.js';
import { countUnderLock } from '../executions/count-under-lock.js';
import { isTaken } from '../rows/sql-state.js';
import type { ExpectedVersions, Versioned, VersionedChange } from '../rows/versioned.js';
import {
  changedView,
  changeVersioned,
  deleteVersioned,
  insertUnlessTaken,
  versionedView,
} from '../rows/versioned-repository.js';

/** A skill as the API shows it. */
export interface SkillView {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A skill as lists show it. */
export type SkillSummary = Omit<SkillView, 'content'>;

export type SkillFields = Omit<SkillView, 'id' | 'created_at' | 'updated_at'>;

/** Maximum skills of one tenant: the names and descriptions of all active ones stand in every prompt. */
export const MAX_SKILLS = 100;

/** `name_taken`: another skill of the tenant has the name. `too_many`: there are {@link MAX_SKILLS} already. */
export type SkillCreation =
  | ({ readonly kind: 'created' } & Versioned<SkillView>)
  | { readonly kind: 'name_taken' }
  | { readonly kind: 'too_many' };
export type SkillChange = VersionedChange<SkillView> | { readonly kind: 'name_taken' };
export type SkillDeletion = 'deleted' | 'not_found' | 'other_version';

/** Skills of one tenant. */
export class SkillStore {
  private readonly skills: Repository<SkillEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.skills = dataSource.getRepository(SkillEntity);
  }

  /** Sorted by id, ascending, without contents. */
  async list(
    tenantId: string,
    { afterId = 0, limit }: { readonly afterId?: number | undefined; readonly limit: number },
  ): Promise<RowsOfPage<SkillSummary>> {
    const found = await this.skills.find({
      select: { id: true, name: true, description: true, isActive: true, createdAt: true, updatedAt: true },
      where: { tenantId, id: MoreThan(afterId) },
      order: { id: 'ASC' },
      take: limit + 1,
    });
    return { rows: found.slice(0, limit).map(toSummary), hasMore: found.length > limit };
  }

  async find(tenantId: string, id: number): Promise<Versioned<SkillView> | null> {
    const skill = await this.skills.findOneBy({ tenantId, id });
    return skill && versionedView(skill, toView);
  }

  async findByName(tenantId: string, name: string): Promise<Versioned<SkillView> | null> {
    const skill = await this.skills.findOneBy({ tenantId, name });
    return skill && versionedView(skill, toView);
  }

  /** The content of an active skill; null if there is none of this name. */
  async readContent(tenantId: string, name: string): Promise<string | null> {
    const where = { tenantId, name, isActive: true };
    return (await this.skills.findOne({ select: { content: true }, where }))?.content ?? null;
  }

  async create(tenantId: string, fields: SkillFields): Promise<SkillCreation> {
    return this.dataSource.transaction(async (manager) => {
      if ((await countUnderLock(manager, 'skill', tenantId)) >= MAX_SKILLS) return { kind: 'too_many' };
      const values = { tenantId, ...toValues(fields) };
      const skill = await insertUnlessTaken(manager.getRepository(SkillEntity), values);
      return skill ? { kind: 'created', ...versionedView(skill, toView) } : { kind: 'name_taken' };
    });
  }

  /** Changes the given fields only. */
  async update(
    tenantId: string,
    id: number,
    fields: Partial<SkillFields>,
    expected: ExpectedVersions,
  ): Promise<SkillChange> {
    try {
      const change = await changeVersioned(this.skills, { tenantId, id }, toValues(fields), expected);
      return changedView(change, toView);
    } catch (error) {
      if (isTaken(error)) return { kind: 'name_taken' };
      throw error;
    }
  }

  delete(tenantId: string, id: number, expected: ExpectedVersions): Promise<SkillDeletion> {
    return deleteVersioned(this.skills, { tenantId, id }, expected);
  }
}

function toValues({ is_active: isActive, ...fields }: Partial<SkillFields>) {
  return { ...fields, isActive };
}

function toSummary(skill: Omit<SkillEntity, 'content'>): SkillSummary {
  const { id, name, description, isActive: is_active, createdAt, updatedAt } = skill;
  return {
    ...{ id, name, description, is_active },
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function toView(skill: SkillEntity): SkillView {
  return { ...toSummary(skill), content: skill.content };
}
