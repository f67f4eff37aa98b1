import type { ChunkIndex, FoundChunk, NearChunk, SearchedDatasource } from '../ports/chunk-index.js';
import { HitSelection } from './hit-selection.js';
import { QuestionVectors, type AskedSpace, type ServiceOfSpace } from './question-vectors.js';
import { fuseRankings, mergeByRank, type FusedChunk } from './rank-fusion.js';
import { RetrievalError, type Retrieval, type RetrievalHit, type RetrievalQuery } from './retrieval.js';

export interface RetrieveChunksDependencies {
  readonly index: ChunkIndex;
  readonly serviceOf: ServiceOfSpace;
}

/** Depth of the rankings: initial, factor per repetition while too few chunks become hits, and maximum. */
const FIRST_DEPTH = 50;
const DEEPER = 4;
const MAX_DEPTH = 800;
/** Chunks per database read. */
const READ_AT_ONCE = 50;

/** Hybrid search: semantic and full-text rankings, fused by rank. */
export class RetrieveChunks {
  constructor(private readonly given: RetrieveChunksDependencies) {}

  /** Throws {@link RetrievalError}, or the signal's reason. A blank question finds nothing. */
  async retrieve(query: RetrievalQuery, signal: AbortSignal): Promise<Retrieval> {
    const datasources = await this.findDatasources(query);
    const searched = datasources.map(({ datasourceId }) => datasourceId);
    if (query.question.trim() === '')
      return { hits: [], totalCandidates: 0, datasources: searched, calls: [] };
    const vectors = new QuestionVectors(this.given.serviceOf, query.tenantId, query.question);
    const spaces = await vectors.of(datasources, signal);
    const found = await this.search(query, spaces, signal);
    return { ...found, datasources: searched, calls: vectors.calls };
  }

  /** Ordered by id, so that the result does not depend on the order in the query. */
  private async findDatasources(query: RetrievalQuery): Promise<readonly SearchedDatasource[]> {
    const ids = [...new Set(query.datasourceIds)].sort((a, b) => a - b);
    const found = await this.given.index.datasources(query.tenantId, ids);
    const byId = new Map(found.map((datasource) => [datasource.datasourceId, datasource]));
    return ids.map((id) => {
      const datasource = byId.get(id);
      if (datasource === undefined)
        throw new RetrievalError('datasource_gone', `There is no datasource ${id}.`);
      if (query.embedModel !== null && query.embedModel !== datasource.embedModel) {
        const text = `The vectors of datasource ${id} are of \`${datasource.embedModel}\`, not of \`${query.embedModel}\`.`;
        throw new RetrievalError('other_model', text);
      }
      return datasource;
    });
  }

  private async search(
    query: RetrievalQuery,
    spaces: readonly AskedSpace[],
    signal: AbortSignal,
  ): Promise<{ readonly hits: readonly RetrievalHit[]; readonly totalCandidates: number }> {
    for (let depth = Math.max(FIRST_DEPTH, query.topK); ; depth *= DEEPER) {
      const { ranking, isWhole } = await this.rank(query, spaces, depth, signal);
      const hits = await this.select(query, spaces, ranking);
      const isEnough = isWhole || hits.length >= query.topK || depth * DEEPER > MAX_DEPTH;
      if (isEnough) return { hits, totalCandidates: ranking.length };
      signal.throwIfAborted();
    }
  }

  /** `isWhole`: deeper rankings contain no further chunk above the threshold. */
  private async rank(
    query: RetrievalQuery,
    spaces: readonly AskedSpace[],
    depth: number,
    signal: AbortSignal,
  ): Promise<{ readonly ranking: readonly FusedChunk[]; readonly isWhole: boolean }> {
    const parts = query.mode === 'UNION' ? [spaces] : spaces.flatMap(eachDatasource);
    const merged: (readonly FusedChunk[])[] = [];
    let isWhole = true;
    for (const part of parts) {
      const { byMeaning, byWords } = await this.rankingsOf(query, part, depth, signal);
      isWhole &&= byMeaning.every((near) => isExhausted(near, depth, query.scoreThreshold));
      merged.push(fuseRankings([...byMeaning.map((near) => near.map(({ chunkId }) => chunkId)), byWords]));
    }
    return { ranking: mergeByRank(merged), isWhole };
  }

  /**
   * One semantic ranking per space, because similarities are comparable only within a space; one full-text ranking over
   * all.
   */
  private async rankingsOf(
    { tenantId, question }: RetrievalQuery,
    spaces: readonly AskedSpace[],
    depth: number,
    signal: AbortSignal,
  ): Promise<{ readonly byMeaning: readonly (readonly NearChunk[])[]; readonly byWords: readonly number[] }> {
    const { index } = this.given;
    const all = spaces.flatMap(({ datasourceIds }) => datasourceIds);
    const [byWords, ...byMeaning] = await Promise.all([
      index.matching(tenantId, all, question, depth),
      ...spaces.map(({ space, datasourceIds, vector }) =>
        index.nearest({ tenantId, datasourceIds, space }, vector, depth, signal),
      ),
    ]);
    return { byMeaning, byWords };
  }

  private async select(
    query: RetrievalQuery,
    spaces: readonly AskedSpace[],
    ranking: readonly FusedChunk[],
  ): Promise<readonly RetrievalHit[]> {
    const questions = new Map(
      spaces.flatMap(({ datasourceIds, vector }) => datasourceIds.map((id) => [id, vector])),
    );
    const selection = new HitSelection(query, (datasourceId) => questions.get(datasourceId));
    for (let from = 0; from < ranking.length && !selection.isFull; from += READ_AT_ONCE) {
      const ids = ranking.slice(from, from + READ_AT_ONCE).map(({ chunkId }) => chunkId);
      const read = await this.given.index.read(query.tenantId, ids);
      const byId = new Map(read.map((chunk): [number, FoundChunk] => [chunk.chunkId, chunk]));
      for (const id of ids) {
        const chunk = byId.get(id);
        if (chunk !== undefined) selection.offer(chunk);
      }
    }
    return selection.hits;
  }
}

function eachDatasource({ space, datasourceIds, vector }: AskedSpace): readonly (readonly AskedSpace[])[] {
  return datasourceIds.map((id) => [{ space, datasourceIds: [id], vector }]);
}

/** True if all chunks above the threshold are in the ranking; matching words cannot raise others above it. */
function isExhausted(near: readonly NearChunk[], depth: number, scoreThreshold: number): boolean {
  return near.length < depth || Math.max(0, near.at(-1)?.similarity ?? 0) < scoreThreshold;
}
