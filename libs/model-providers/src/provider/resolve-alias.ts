/** Short names of models, with the id that each stands for. */
export type ModelAliases = Readonly<Record<string, string>>;

/** The id that a model is asked by; a name that is no alias is the id itself (S4-30). */
export function resolveAlias(aliases: ModelAliases | undefined, model: string): string {
  const id = aliases !== undefined && Object.hasOwn(aliases, model) ? aliases[model] : undefined;
  return id ?? model;
}
