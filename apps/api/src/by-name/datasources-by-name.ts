import { Injectable } from '@nestjs/common';
import {
  DatasourceStore,
  LlmStore,
  type DatasourceFields,
  type DatasourceView,
  type Named,
  type Versioned,
} from '#libs/persistence';
import { datasourceInUse, overlapTooLong, unknownLlm } from '../datasources/datasources.errors.js';
import { DatasourcesService } from '../datasources/datasources.service.js';
import { ByName, unlessRefused } from './apply-by-name.js';
import { changedFields } from './changed-fields.js';

const VECTOR_FIELDS = ['llm_id', 'embed_model', 'dimensions'];

/** Datasources by name. */
@Injectable()
export class DatasourcesByName extends ByName<DatasourceFields, DatasourceView> {
  readonly kind = 'datasources';

  constructor(
    private readonly datasources: DatasourceStore,
    private readonly llms: LlmStore,
    private readonly service: DatasourcesService,
  ) {
    super();
  }

  find(tenantId: string, name: string): Promise<Named<Versioned<DatasourceView>>> {
    return this.datasources.findByName(tenantId, name);
  }

  async check(tenantId: string, fields: DatasourceFields): Promise<void> {
    if (fields.overlap_tokens >= fields.chunk_tokens) throw overlapTooLong();
    if ((await this.llms.find(tenantId, fields.llm_id)) === null) throw unknownLlm();
  }

  async compare(
    tenantId: string,
    { view: before }: Versioned<DatasourceView>,
    fields: DatasourceFields,
  ): Promise<string[]> {
    const changed = changedFields({ ...before }, { ...fields });
    if (changed.length > 0) await this.check(tenantId, fields);
    if (before.document_count > 0 && VECTOR_FIELDS.some((field) => changed.includes(field)))
      throw datasourceInUse('what makes their vectors stays');
    return changed;
  }

  create(tenantId: string, fields: DatasourceFields): Promise<Versioned<DatasourceView> | null> {
    return unlessRefused(this.service.create(tenantId, fields), 'DATASOURCE_NAME_TAKEN');
  }

  replace(
    tenantId: string,
    { view, version }: Versioned<DatasourceView>,
    fields: DatasourceFields,
  ): Promise<Versioned<DatasourceView> | null> {
    return unlessRefused(
      this.service.change(tenantId, view.id, fields, [version]),
      'VERSION_CHANGED',
      'NOT_FOUND',
    );
  }
}
