import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import type { UsageGroup, UsageSum } from '../api/types.js';
import type { UsageRange } from './usage-search.js';

const PAGE = 100;
const MAX_PAGES = 20;
const REFRESH_MS = 60_000;

export interface UsageQuestion extends UsageRange {
  readonly groupBy: UsageGroup;
  readonly agent?: number | undefined;
  readonly executor?: string | undefined;
}

interface UsagePage {
  readonly data: readonly UsageSum[];
  readonly next_cursor: string | null;
}

export interface UsageSums {
  readonly groupBy: UsageGroup | null;
  readonly sums: readonly UsageSum[];
  /** Whether there are more groups than are read: 2,000. */
  readonly isCut: boolean;
}

/** Sums of usage by group, of at most 2,000 groups. */
export const usageQuery = (question: UsageQuestion | null) =>
  queryOptions<UsageSums>({
    queryKey: ['usage', question],
    enabled: question !== null,
    // Sums of the range before stay in view, but never those of another split.
    placeholderData: (before) => (before?.groupBy === question?.groupBy ? before : undefined),
    staleTime: REFRESH_MS,
    queryFn: ({ signal }) =>
      question === null ? { groupBy: null, sums: [], isCut: false } : readSums(question, signal),
  });

async function readSums(question: UsageQuestion, signal: AbortSignal): Promise<UsageSums> {
  const { groupBy, from, to, agent, executor } = question;
  const sums: UsageSum[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = {
      ...{ group_by: groupBy, from, to, limit: PAGE },
      ...(agent === undefined ? {} : { agent_id: agent }),
      ...(executor === undefined ? {} : { executor_id: executor }),
      ...(cursor === null ? {} : { cursor }),
    };
    const answer: UsagePage = await answerOf(api.GET('/api/usage/', { params: { query }, signal }));
    sums.push(...answer.data);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return { groupBy, sums, isCut: cursor !== null };
}
