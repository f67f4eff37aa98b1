import { Dialog, DialogTitle } from '../ui/dialog.js';

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl K', 'Go to a screen, a run or a session'],
  ['j / k', 'Next or previous row'],
  ['Enter', 'Open the row'],
  ['+ / - / 0', 'Timeline: zoom in, zoom out, show all'],
  ['← / →', 'Timeline: earlier or later, while it is zoomed'],
  ['a / r', 'Inbox: approve or refuse the call'],
  ['Esc', 'Close, or back to the list'],
  ['?', 'This help'],
];

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog label="Keys" onClose={onClose} className="w-96">
      <DialogTitle onClose={onClose}>Keys</DialogTitle>
      <dl className="grid grid-cols-[6rem_1fr] gap-y-2 p-4">
        {KEYS.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 font-sans text-sm">
                {keys}
              </kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
