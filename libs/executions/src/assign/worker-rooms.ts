import type { MonotonicClock } from '#libs/kernel';
import type { WorkerDoor } from '../ports/worker-door.js';

/** Free slots of one worker, as this process knows them. */
export interface Room {
  /** The door of the last look: an earlier one may be closed. */
  door: WorkerDoor;
  /** Free slots by the worker's last answer; 0 before the first one. */
  free: number;
  /** Slots that are offered or being handed over, which no answer counts yet. */
  reserved: number;
  /** Time of the last question, by the monotonic clock. */
  askedAt: number;
  /** Time until which the worker gets nothing, since it has not answered. */
  silentUntil: number;
}

/** Milliseconds for which a worker gets nothing after it did not answer. */
const SILENT_MS = 5_000;
/** Milliseconds between two questions to a worker without a known free slot. */
const ASK_EVERY_MS = 20;

/**
 * Free slots of some workers. They may be fewer, since other processes hand executions over too; a worker requeues what
 * it has no slot for.
 */
export class WorkerRooms {
  private readonly rooms = new Map<string, Room>();

  constructor(private readonly clock: MonotonicClock) {}

  /** Replaces the workers; the slots of those that stay are kept, and workers stay until nothing is reserved there. */
  meet(doors: readonly WorkerDoor[]): void {
    const ids = new Set(doors.map(({ workerId }) => workerId));
    for (const [id, { reserved }] of this.rooms) if (!ids.has(id) && reserved === 0) this.rooms.delete(id);
    for (const door of doors) {
      const known = this.rooms.get(door.workerId);
      if (known) known.door = door;
      else this.rooms.set(door.workerId, newRoom(door));
    }
  }

  /** Ids of the workers with a free slot. */
  get withRoom(): readonly string[] {
    return this.usable.filter((room) => leftIn(room) > 0).map(({ door }) => door.workerId);
  }

  /** Free slots of all workers. */
  get free(): number {
    return this.usable.reduce((sum, room) => sum + leftIn(room), 0);
  }

  /** Workers without a known free slot that were not asked just now; they count as asked from now on. */
  takeToAsk(): readonly Room[] {
    const now = this.clock.monotonic();
    const due = this.usable.filter((room) => leftIn(room) === 0 && now - room.askedAt >= ASK_EVERY_MS);
    for (const room of due) room.askedAt = now;
    return due;
  }

  /** Reserves up to `most` slots, each at the worker with the most free ones. Returns the ids of the workers. */
  reserve(most: number): string[] {
    const { usable } = this;
    const reserved: string[] = [];
    while (reserved.length < most) {
      const roomiest = roomiestOf(usable);
      if (roomiest === undefined) break;
      roomiest.reserved += 1;
      reserved.push(roomiest.door.workerId);
    }
    return reserved;
  }

  /** Ends reservations that no execution has taken, or that the worker's answer counts from now on. */
  unreserve(workerId: string, count: number): void {
    const room = this.rooms.get(workerId);
    if (room) room.reserved -= count;
  }

  find(workerId: string): Room | undefined {
    return this.rooms.get(workerId);
  }

  /** Records that a worker has not answered. */
  silence(room: Room): void {
    Object.assign(room, { free: 0, silentUntil: this.clock.monotonic() + SILENT_MS });
  }

  private get usable(): Room[] {
    const now = this.clock.monotonic();
    return [...this.rooms.values()].filter(({ silentUntil }) => silentUntil <= now);
  }
}

function newRoom(door: WorkerDoor): Room {
  return { door, free: 0, reserved: 0, askedAt: -Infinity, silentUntil: -Infinity };
}

/** Undefined if none has a free slot. */
function roomiestOf(rooms: readonly Room[]): Room | undefined {
  let found: Room | undefined;
  for (const room of rooms) if (leftIn(room) > (found === undefined ? 0 : leftIn(found))) found = room;
  return found;
}

function leftIn({ free, reserved }: Room): number {
  return Math.max(0, free - reserved);
}
