import { keep, readKept } from '../ui/kept.js';

const PLACE = 'capstan.person';
const MAX_LENGTH = 200;

/** Name under which decisions are recorded beside the key; empty where none was given. */
export function readPerson(): string {
  return readKept(PLACE) ?? '';
}

export function keepPerson(name: string): void {
  keep(PLACE, name.trim().slice(0, MAX_LENGTH));
}
