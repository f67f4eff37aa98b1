import type { DeliveredFile } from '#libs/agent-core';
import type { FileSandbox } from '#libs/tool-sources';
import { toOpenedDelivery, type Delivery } from '#libs/tooling';

/** Makes what a tool left under `/files` ready for its user: only what the sandbox lets out (S0-39 … S0-42). */
export class FileDelivery {
  /** `sandbox` is null where no folder for files is configured: then nothing is let out. */
  constructor(private readonly sandbox: FileSandbox | null) {}

  async open(deliveries: readonly Delivery[]): Promise<DeliveredFile[]> {
    const ready: DeliveredFile[] = [];
    for (const delivery of deliveries) {
      if (delivery.kind !== 'open') ready.push(delivery);
      else {
        const opened = (await this.sandbox?.read(delivery.file.path)) ?? { kind: 'refused' as const };
        const file = toOpenedDelivery(delivery.file, opened);
        if (file !== null) ready.push(file);
      }
    }
    return ready;
  }
}
