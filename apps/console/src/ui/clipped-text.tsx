/** One line of a text of users or models, cut at its end: on the left where it is written from right to left. */
export function ClippedText({ text }: { readonly text: string }) {
  return <bdi className="inline-block max-w-full truncate align-bottom">{text}</bdi>;
}
