import { join } from 'node:path';
import type { DeliveredFile } from '#libs/agent-core';
import { FileSandbox } from '#libs/tool-sources';
import { toOpenedDelivery, type Delivery } from '#libs/tooling';

/** What can be the name of a folder and nothing else. */
const FOLDER_NAME = /^[A-Za-z0-9_-]{1,100}$/;

/**
 * Makes what a tool left under `/files` ready for its user: only what the sandbox lets out (S0-39 … S0-42). Each tenant has
 * a folder of its own below the root, so that no tool reads another tenant's files.
 */
export class FileDelivery {
  private readonly sandboxes = new Map<string, FileSandbox>();

  /** `root` is null where no folder for files is configured: then nothing is let out. */
  constructor(private readonly root: string | null) {}

  async open(tenantId: string, deliveries: readonly Delivery[]): Promise<DeliveredFile[]> {
    const ready: DeliveredFile[] = [];
    for (const delivery of deliveries) {
      if (delivery.kind !== 'open') ready.push(delivery);
      else {
        const opened = (await this.sandboxOf(tenantId)?.read(delivery.file.path)) ?? {
          kind: 'refused' as const,
        };
        const file = toOpenedDelivery(delivery.file, opened);
        if (file !== null) ready.push(file);
      }
    }
    return ready;
  }

  private sandboxOf(tenantId: string): FileSandbox | null {
    if (this.root === null || !FOLDER_NAME.test(tenantId)) return null;
    const known = this.sandboxes.get(tenantId);
    if (known) return known;
    const sandbox = new FileSandbox({ root: join(this.root, tenantId) });
    this.sandboxes.set(tenantId, sandbox);
    return sandbox;
  }
}
