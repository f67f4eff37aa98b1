import { composeQuestion, foreignMark, mergePassages, type PinnedRetrieval } from '#libs/agent-core';

/** What a model is asked, and what was found for it. */
export interface QuestionPlan {
  readonly text: string;
  /** As it is asked with; undefined where nothing was looked for. */
  readonly retrieval: PinnedRetrieval | undefined;
  /** How many passages had no room, for people. */
  readonly warnings: readonly string[];
}

export interface QuestionParts {
  readonly input: string;
  /** What stands around what is asked. */
  readonly around: (asked: string) => string;
  /** Whether the model can read this question beside everything else that it has to. */
  readonly fits: (question: string) => boolean;
  /** In hexadecimal. */
  readonly sha256: (text: string) => string;
}

/**
 * Asks with as many of the best passages as the model can read, each as a whole: one that is worse never takes the place of
 * a better one. Pure.
 */
export function planQuestion(
  found: PinnedRetrieval | undefined,
  { input, around, fits, sha256 }: QuestionParts,
): QuestionPlan {
  const ask = (retrieval: PinnedRetrieval | undefined) => around(composeQuestion(input, retrieval));
  const whole = { text: ask(found), retrieval: found, warnings: [] };
  if (found === undefined || found.passages.length === 0 || fits(whole.text)) return whole;
  const all = found.passages.length;
  let [fitting, tooMany] = [0, all];
  while (tooMany - fitting > 1) {
    const tried = Math.floor((fitting + tooMany) / 2);
    if (fits(ask(withBest(found, tried, sha256)))) fitting = tried;
    else tooMany = tried;
  }
  const retrieval = withBest(found, fitting, sha256);
  const warning = `${all - fitting} of ${all} passages were left out: the model cannot read as much at once`;
  return { text: ask(retrieval), retrieval, warnings: [warning] };
}

function withBest(found: PinnedRetrieval, count: number, sha256: QuestionParts['sha256']): PinnedRetrieval {
  const passages = found.passages.slice(0, count);
  return {
    ...found,
    passages,
    usage: { ...found.usage, used_chunks: count },
    foreign: foreignMark(sha256(mergePassages(passages, found.merge))),
  };
}
