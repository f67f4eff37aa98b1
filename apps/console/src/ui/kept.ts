/** A choice that this browser keeps for the next visit; null where it keeps none. Never for a secret. */
export function readKept(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

/** Keeps a choice for the next visit; a browser that keeps nothing goes on without. */
export function keep(place: string, text: string): void {
  try {
    localStorage.setItem(place, text);
  } catch {
    // The choice holds until the page is closed.
  }
}

export function forget(place: string): void {
  try {
    localStorage.removeItem(place);
  } catch {
    // There is nothing kept.
  }
}
