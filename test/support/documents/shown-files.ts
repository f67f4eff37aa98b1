/** Files that a guide shows, by path: each stands in a block behind a line that ends with its path, `` `a/b.ts`: ``. */
export function shownFiles(markdown: string): ReadonlyMap<string, string> {
  const shown = markdown.matchAll(
    /`(?<path>[\w-]+\/[\w/.-]+\.(?:ts|sql))`[^\n`]*:\n\n```(?:ts|sql)\n(?<text>.*?)^```$/gms,
  );
  return new Map([...shown].map(({ groups = {} }) => [groups['path'] ?? '', groups['text'] ?? '']));
}
