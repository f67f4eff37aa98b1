import type { ResolvedModel } from '#libs/executions';

/** The reading limits of a model with one token for each character. */
export const BY_CHARACTERS: Pick<ResolvedModel, 'contextSize' | 'nativeMedia' | 'tokenizer'> = {
  contextSize: 400_000,
  nativeMedia: ['image', 'pdf'],
  tokenizer: { name: 'characters', load: () => Promise.resolve(), count: (text) => text.length },
};
