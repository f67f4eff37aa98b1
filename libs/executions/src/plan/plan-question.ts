import { composeQuestion, foreignMark, mergePassages, type PinnedRetrieval } from '#libs/agent-core';

/** Question for the model, with the retrieved passages. */
export interface QuestionPlan {
  readonly text: string;
  /** Passages that are used; undefined without retrieval. */
  readonly retrieval: PinnedRetrieval | undefined;
  /** Warning for people about omitted passages. */
  readonly warnings: readonly string[];
}

export interface QuestionParts {
  readonly input: string;
  /** Adds the texts around the question. */
  readonly around: (asked: string) => string;
  /** Whether the question fits the model's context together with the rest of the prompt. */
  readonly fits: (question: string) => boolean;
  /** SHA-256 in hexadecimal. */
  readonly sha256: (text: string) => string;
}

/**
 * Builds the question with as many of the best passages as fit, each of them whole; a worse passage never replaces a
 * better one. Pure.
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
