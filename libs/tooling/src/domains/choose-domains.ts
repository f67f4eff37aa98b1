/** The domains of these names, in the order of the list. A name that is not listed is refused by the configuration. */
export function chooseDomains<Listed extends { readonly name: string }>(
  listed: readonly Listed[],
  names: readonly string[],
): readonly Listed[] {
  return listed.filter(({ name }) => names.includes(name));
}
