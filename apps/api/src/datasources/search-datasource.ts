import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { searchDocumentsJob, type DocumentSearch, type DocumentSearchAnswer } from '#libs/payloads';
import { DatasourceStore, DocumentSearchStore, isAnyWorkerPresent } from '#libs/persistence';
import { JobCaller } from '#libs/queue';
import { DataSource } from 'typeorm';
import { EmbeddingLimit } from '../http/embedding-limit.js';
import { datasourceNotFound, noWorker, notSearched, refusedSearch } from './datasources.errors.js';

/** A worker limits a search to 30 s. */
const LIMITS = { takenWithinMs: 10_000, answeredWithinMs: 35_000 };

/** Has a worker search a datasource, since only workers have access to models. */
@Injectable()
export class SearchDatasource {
  constructor(
    private readonly datasources: DatasourceStore,
    private readonly searches: DocumentSearchStore,
    private readonly workers: JobCaller,
    private readonly limit: EmbeddingLimit,
    private readonly dataSource: DataSource,
  ) {}

  /** Throws `NOT_FOUND`, `VALIDATION_ERROR`, `RATE_LIMITED`, `NO_WORKER`, `RETRIEVAL_FAILED`. */
  async execute(
    tenantId: string,
    datasourceId: number,
    search: DocumentSearch,
  ): Promise<DocumentSearchAnswer> {
    if ((await this.datasources.find(tenantId, datasourceId)) === null) throw datasourceNotFound();
    // Without any worker the client gets the error at once, not after the time that a busy worker may take.
    if (!(await isAnyWorkerPresent(this.dataSource))) throw noWorker();
    // Counted before the job is dispatched: each search embeds one question.
    await this.limit.admit(tenantId);
    const id = uuidv7();
    await this.searches.begin({ id, tenantId, datasourceId, search });
    const answer = await this.workers.call('search-documents', searchDocumentsJob(tenantId, id), LIMITS);
    const outcome = await this.searches.end(tenantId, id);
    if (outcome === null) throw answer.kind === 'not_taken' ? noWorker() : notSearched();
    if (outcome.kind === 'refused') throw refusedSearch(outcome);
    return outcome.answer;
  }
}
