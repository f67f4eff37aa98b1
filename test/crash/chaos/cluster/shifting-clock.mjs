// Preloaded into a process of the service: shifts its wall clock by the milliseconds in the file `CLOCK_OFFSET_FILE`, which
// is read at the start and at each SIGUSR2. Timers and the monotonic clock are not shifted.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_OFFSET_FILE;
const RealDate = Date;
let offsetMs = 0;

function readOffset() {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offsetMs = 0;
  }
}

class ShiftedDate extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + offsetMs);
    else super(...values);
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
}

if (file) {
  readOffset();
  process.on('SIGUSR2', readOffset);
  globalThis.Date = ShiftedDate;
}
