import { randomKey } from './client.js';
import { problemOf } from './problem.js';
import { isAnyOpen, nextUpload, type ChosenFile, type Upload } from './upload-list.js';

const AT_ONCE = 2;

interface Sending {
  readonly signal: AbortSignal;
  /** Called with the bytes that were sent so far, of how many. */
  readonly onProgress: (sent: number, total: number) => void;
}

/** Sends files to places of the service, two at a time. They go on while other screens are open. */
export class UploadQueue<Place, Given> {
  private uploads: readonly Upload<Place, Given>[] = [];
  private readonly stops = new Map<string, AbortController>();
  private readonly listeners = new Set<() => void>();

  /**
   * @param send sends one file, and resolves to what the service has made of it
   * @param onOpen called with whether leaving the page now would lose something
   */
  constructor(
    private readonly send: (chosen: ChosenFile<Place>, sending: Sending) => Promise<Given>,
    private readonly onOpen: (isOpen: boolean) => void = askerBeforeLeaving(),
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getUploads = (): readonly Upload<Place, Given>[] => this.uploads;

  add(files: readonly Omit<ChosenFile<Place>, 'key'>[]): void {
    const added = files.map((one): Upload<Place, Given> => ({ ...one, key: randomKey(), state: 'waiting' }));
    this.change([...this.uploads, ...added]);
  }

  /** Sends a refused file again under its key, so that one that had arrived after all is not kept twice. */
  retry(key: string): void {
    this.replace(key, (upload) => ({ ...chosenOf(upload), state: 'waiting' }));
  }

  /** Takes an upload off the list, and stops it where it is under way. */
  drop(key: string): void {
    this.stops.get(key)?.abort();
    this.change(this.uploads.filter((upload) => upload.key !== key));
  }

  /** Keeps the newest state of what the service has made of files. */
  renew(newest: (given: Given) => Given): void {
    this.change(
      this.uploads.map((upload) =>
        upload.state === 'given' ? { ...upload, given: newest(upload.given) } : upload,
      ),
    );
  }

  private replace(key: string, next: (upload: Upload<Place, Given>) => Upload<Place, Given>): void {
    this.change(this.uploads.map((upload) => (upload.key === key ? next(upload) : upload)));
  }

  private change(next: readonly Upload<Place, Given>[]): void {
    this.uploads = next;
    this.onOpen(isAnyOpen(next));
    this.listeners.forEach((listener) => listener());
    // Each that begins changes the list, which begins the one after it.
    const upload = nextUpload(next, AT_ONCE);
    if (upload !== null) void this.begin(chosenOf(upload));
  }

  private async begin(chosen: ChosenFile<Place>): Promise<void> {
    const { key, file } = chosen;
    const stop = new AbortController();
    this.stops.set(key, stop);
    const sent = this.send(chosen, {
      signal: stop.signal,
      onProgress: (bytes, total) =>
        this.replace(key, () => ({ ...chosen, state: 'sending', sent: bytes, total })),
    });
    this.replace(key, () => ({ ...chosen, state: 'sending', sent: 0, total: file.size }));
    try {
      const given = await sent;
      this.replace(key, () => ({ ...chosen, state: 'given', given }));
    } catch (error) {
      this.replace(key, () => ({ ...chosen, state: 'refused', problem: problemOf(error) }));
    } finally {
      this.stops.delete(key);
    }
  }
}

const chosenOf = <Place>({ key, file, place }: ChosenFile<Place>): ChosenFile<Place> => ({
  key,
  file,
  place,
});

/** The browser asks before it leaves the page while something would be lost. */
function askerBeforeLeaving(): (isOpen: boolean) => void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  return (isOpen) =>
    isOpen ? window.addEventListener('beforeunload', ask) : window.removeEventListener('beforeunload', ask);
}
