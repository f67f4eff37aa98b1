import { watch } from 'node:fs';
import type { CommandContext } from './run-until-stopped.ts';
import { say, style } from './terminal.ts';

/**
 * Runs `onChange` when files below the folder change, once for all files of a burst and never twice at a time. The terminal
 * shows the message of a failure. Ends with the command.
 * @param options.isRelevant judges a path below the folder, with `/` between its parts
 * @param options.quietMs a burst has ended when no file changes for so many milliseconds
 */
export function watchFolder(options: {
  folder: string;
  context: CommandContext;
  isRelevant: (path: string) => boolean;
  quietMs: number;
  onChange: (files: readonly string[]) => Promise<void>;
}): void {
  const { folder, context, isRelevant, quietMs, onChange } = options;
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let turn = Promise.resolve();

  const isStopping = (): boolean => context.signal.aborted;
  const handle = async (): Promise<void> => {
    const files = [...touched];
    touched.clear();
    if (files.length === 0 || isStopping()) return;
    try {
      await onChange(files);
    } catch (error) {
      if (!isStopping()) say(style.red(error instanceof Error ? error.message : String(error)));
    }
  };
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    const path = name?.replaceAll('\\', '/');
    if (path === undefined || !isRelevant(path)) return;
    touched.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      turn = turn.then(handle);
    }, quietMs);
  });
  context.onStop(async () => {
    clearTimeout(timer);
    watcher.close();
    await turn;
  });
}
