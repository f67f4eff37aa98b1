import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SDK_VERSION, sdkModule } from '#libs/model-providers';
import { HOLD, STAND_IN_ENGINE } from '../../fixtures/claude-engine.mjs';

/** A folder like the one that the Claude Agent SDK is installed into, with a stand-in for it. */
export class ClaudeStandIn {
  readonly folder = mkdtempSync(join(tmpdir(), 'claude-stand-in-'));
  private readonly module = dirname(sdkModule(this.folder));

  constructor() {
    mkdirSync(this.module, { recursive: true });
    copyFileSync(STAND_IN_ENGINE, sdkModule(this.folder));
    writeFileSync(join(this.module, 'package.json'), JSON.stringify({ version: SDK_VERSION }));
  }

  /** Makes engines start and do nothing until `letGo`. */
  hold(): void {
    writeFileSync(join(this.module, HOLD), '');
  }

  letGo(): void {
    rmSync(join(this.module, HOLD), { force: true });
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
