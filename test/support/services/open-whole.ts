interface Part {
  close(): Promise<unknown>;
}

/**
 * Opens what consists of parts. Where one of them does not open, those before it are closed, the last one first, and its
 * failure goes on: nobody else gets to close them, and each would keep jest alive.
 *
 * @param open says of each part that it has begun
 */
export async function openWhole<Whole>(
  open: (begun: <Begun extends Part>(part: Begun) => Begun) => Promise<Whole>,
): Promise<Whole> {
  const parts: Part[] = [];
  const begun = <Begun extends Part>(part: Begun): Begun => {
    parts.unshift(part);
    return part;
  };
  try {
    return await open(begun);
  } catch (error) {
    // What cannot be closed either is not what went wrong.
    for (const part of parts) await part.close().catch(() => undefined);
    throw error;
  }
}
