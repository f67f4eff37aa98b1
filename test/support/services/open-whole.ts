interface Part {
  close(): Promise<unknown>;
}

/**
 * Opens an object of several parts. If one part fails to open, closes those before it, the last one first, and rethrows the
 * failure: the caller gets no object to close, and each open part would keep jest alive.
 *
 * @param open reports each part once it has begun
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
    // A failure to close must not replace the failure to open.
    for (const part of parts) await part.close().catch(() => undefined);
    throw error;
  }
}
