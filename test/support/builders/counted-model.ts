import type { ResolvedModel } from '#libs/executions';

/** How a model reads for which each character is a token. */
export const BY_CHARACTERS: Pick<ResolvedModel, 'contextSize' | 'nativeMedia' | 'tokenizer'> = {
  contextSize: 400_000,
  nativeMedia: ['image', 'pdf'],
  tokenizer: { name: 'characters', load: () => Promise.resolve(), count: (text) => text.length },
};
