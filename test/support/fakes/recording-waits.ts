import { WaitNotice, type Wait, type WaitEnding } from '#libs/agent-core';

/** Every wait that began, with after how many milliseconds it is to be shown, and how it ended. */
export class RecordingWaits extends WaitNotice {
  readonly begun: (Wait & { readonly afterMs: number; readonly ending: WaitEnding | null })[] = [];

  override begin(wait: Wait, afterMs = 0): (ending: WaitEnding) => void {
    const place = this.begun.push({ ...wait, afterMs, ending: null }) - 1;
    return (ending) => {
      const noted = this.begun[place];
      if (noted?.ending === null) this.begun[place] = { ...noted, ending };
    };
  }
}
