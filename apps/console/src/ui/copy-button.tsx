import { Copy } from 'lucide-react';
import { toast } from 'sonner';
import { IconButton } from './button.js';

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(done);
  } catch {
    toast.error('The browser does not allow copying here.');
  }
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <IconButton label={label} className="size-6" onClick={() => void copyText(text, 'Copied')}>
      <Copy aria-hidden className="size-3.5" />
    </IconButton>
  );
}
