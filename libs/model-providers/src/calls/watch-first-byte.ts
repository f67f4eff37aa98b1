/** The same response; `onFirstByte` is called when its body begins, even with a comment that keeps the line open. */
export function watchFirstByte(response: Response, onFirstByte: () => void): Response {
  if (response.body === null) return response;
  let isFirst = true;
  const watching = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (isFirst) onFirstByte();
      isFirst = false;
      controller.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(watching), { status, headers });
}
