/** Selects domains by name, in the order of the list. The configuration rejects unknown names. */
export function chooseDomains<Listed extends { readonly name: string }>(
  listed: readonly Listed[],
  names: readonly string[],
): readonly Listed[] {
  return listed.filter(({ name }) => names.includes(name));
}
