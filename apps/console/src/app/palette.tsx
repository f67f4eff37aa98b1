import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { ListTree, MessagesSquare } from 'lucide-react';
import { isUuid } from '../format/ids.js';
import { Dialog } from '../ui/dialog.js';
import { NAVIGATION } from './navigation.js';

const ITEM =
  'flex h-9 cursor-pointer items-center gap-2 rounded-md px-2 data-[selected=true]:bg-accent-soft data-[selected=true]:text-ink';

/** Goes to a screen by its name, and to a run or the runs of a session by an id. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const id = text.trim();
  const go = (leave: () => Promise<void>): void => {
    onClose();
    void leave();
  };
  return (
    <Dialog label="Go to" onClose={onClose} className="mt-[12dvh]">
      <Command label="Go to" loop className="flex min-h-0 flex-col">
        <Command.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder="A screen, or the id of a run or session"
          className="h-11 border-b border-line bg-transparent px-4 outline-none placeholder:text-muted"
        />
        <Command.List className="overflow-y-auto p-2">
          <Command.Empty className="px-2 py-6 text-center text-muted">
            No screen has this name. A run opens by its whole id.
          </Command.Empty>
          {isUuid(id) && (
            <>
              <Command.Item
                value={`run ${id}`}
                className={ITEM}
                onSelect={() => go(() => navigate({ to: '/runs/$id', params: { id } }))}
              >
                <ListTree aria-hidden className="size-4" /> Open the run
              </Command.Item>
              <Command.Item
                value={`session ${id}`}
                className={ITEM}
                onSelect={() => go(() => navigate({ to: '/sessions/$uuid', params: { uuid: id } }))}
              >
                <MessagesSquare aria-hidden className="size-4" /> Open the session
              </Command.Item>
            </>
          )}
          {NAVIGATION.map(({ to, label, icon: Icon, keywords }) => (
            <Command.Item
              key={to}
              value={label}
              keywords={[...keywords]}
              className={ITEM}
              onSelect={() => go(() => navigate({ to }))}
            >
              <Icon aria-hidden className="size-4" /> {label}
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}
