import { Copy } from 'lucide-react';
import { toast } from 'sonner';
import { IconButton } from './button.js';

const REFUSED = 'The browser does not allow copying here.';

export async function copyText(text: string, done: string): Promise<void> {
  if (await isCopied(text)) toast.success(done);
  else toast.error(REFUSED);
}

/** Copies, and resolves to words for a person. For a modal dialog: toasts are below it, and unheard while it is open. */
export const copyInDialog = async (text: string): Promise<string> =>
  (await isCopied(text)) ? 'Copied' : REFUSED;

async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <IconButton label={label} className="size-6" onClick={() => void copyText(text, 'Copied')}>
      <Copy aria-hidden className="size-3.5" />
    </IconButton>
  );
}
