import { Injectable } from '@nestjs/common';
import {
  DatasourceStore,
  type DatasourceView,
  type Versioned,
  type DatasourceFields,
  type ExpectedVersions,
} from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import { byId, toPage, type Page } from '../http/page.js';
import { otherVersion } from '../http/entity-tag.js';
import type { DatasourceListQuery, DatasourcePatchDto } from './datasources.dto.js';
import {
  datasourceNotFound,
  datasourceInUse,
  datasourceNameTaken,
  overlapTooLong,
  unknownLlm,
} from './datasources.errors.js';

/** Lists and changes the datasources of a tenant. */
@Injectable()
export class DatasourcesService {
  constructor(private readonly datasources: DatasourceStore) {}

  /** Sorted by ascending id. */
  async list(
    tenantId: string,
    { limit, cursor: afterId }: DatasourceListQuery,
  ): Promise<Page<DatasourceView>> {
    return toPage(await this.datasources.list(tenantId, { afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: number): Promise<Versioned<DatasourceView>> {
    const datasource = await this.datasources.find(tenantId, id);
    if (datasource === null) throw datasourceNotFound();
    return datasource;
  }

  /** Throws `DATASOURCE_NAME_TAKEN`, `VALIDATION_ERROR`. */
  async create(tenantId: string, fields: DatasourceFields): Promise<Versioned<DatasourceView>> {
    if (fields.overlap_tokens >= fields.chunk_tokens) throw overlapTooLong();
    const creation = await this.datasources.create(tenantId, fields);
    switch (creation.kind) {
      case 'created':
        return creation;
      case 'name_taken':
        throw datasourceNameTaken();
      case 'unknown_llm':
        throw unknownLlm();
      default:
        return assertNever(creation);
    }
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`, `DATASOURCE_NAME_TAKEN`, `DATASOURCE_IN_USE`, `VALIDATION_ERROR`. */
  async change(
    tenantId: string,
    id: number,
    patch: DatasourcePatchDto,
    expected: ExpectedVersions,
  ): Promise<Versioned<DatasourceView>> {
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    const change = await this.datasources.update(tenantId, id, given, expected);
    switch (change.kind) {
      case 'changed':
        return change;
      case 'not_found':
        throw datasourceNotFound();
      case 'other_version':
        throw otherVersion();
      case 'name_taken':
        throw datasourceNameTaken();
      case 'unknown_llm':
        throw unknownLlm();
      case 'has_documents':
        throw datasourceInUse('what makes their vectors stays');
      case 'overlap_too_long':
        throw overlapTooLong();
      default:
        return assertNever(change);
    }
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`, `DATASOURCE_IN_USE`. */
  async delete(tenantId: string, id: number, expected: ExpectedVersions): Promise<void> {
    const deletion = await this.datasources.delete(tenantId, id, expected);
    if (deletion === 'not_found') throw datasourceNotFound();
    if (deletion === 'other_version') throw otherVersion();
    if (deletion === 'has_documents') throw datasourceInUse('remove them first');
  }
}
