import type { ApiProblem } from './problem.js';

/** A file that was chosen for a place of the service. */
export interface ChosenFile<Place> {
  readonly key: string;
  readonly file: File;
  readonly place: Place;
}

/** A file on its way to its place, with what the service has made of it. */
export type Upload<Place, Given> = ChosenFile<Place> &
  (
    | { readonly state: 'waiting' }
    | { readonly state: 'sending'; readonly sent: number; readonly total: number }
    | { readonly state: 'given'; readonly given: Given }
    | { readonly state: 'refused'; readonly problem: ApiProblem }
  );

type AnyUpload = Upload<unknown, unknown>;

/** The upload to begin now; null while `atOnce` are under way, or none waits. Pure. */
export function nextUpload<One extends AnyUpload>(uploads: readonly One[], atOnce: number): One | null {
  const sending = uploads.filter(({ state }) => state === 'sending').length;
  return sending < atOnce ? (uploads.find(({ state }) => state === 'waiting') ?? null) : null;
}

/** Whether leaving the page now would lose something. Pure. */
export const isAnyOpen = (uploads: readonly AnyUpload[]): boolean => uploads.some(isOpen);

/** Whether not all bytes of an upload are there yet. Pure. */
export const isOpen = ({ state }: AnyUpload): boolean => state === 'waiting' || state === 'sending';

/** Whether a file that was refused would be refused again: for its size, its kind or its name. Pure. */
export const isRefusedForGood = ({ status }: ApiProblem): boolean => [400, 413, 415, 422].includes(status);

/** Part of the bytes that is sent, from 0 to 1. Pure. */
export const sentPart = (sent: number, total: number): number =>
  total === 0 ? 0 : Math.min(1, sent / total);
