const PLACE = 'capstan.person';
const MAX_LENGTH = 200;

/** Name under which decisions are recorded beside the key; empty where none was given. */
export function readPerson(): string {
  try {
    return localStorage.getItem(PLACE) ?? '';
  } catch {
    return '';
  }
}

export function keepPerson(name: string): void {
  try {
    localStorage.setItem(PLACE, name.trim().slice(0, MAX_LENGTH));
  } catch {
    // A browser that keeps nothing asks again at the next visit.
  }
}
