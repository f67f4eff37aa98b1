import { Download } from 'lucide-react';

/** Saves what is at an address of the API as a file; looks like a button. */
export function DownloadLink({ href }: { readonly href: string }) {
  return (
    <a
      href={href}
      download
      className="inline-flex h-8 items-center gap-1.5 rounded-md border border-line bg-raised px-3 font-medium hover:bg-hover"
    >
      <Download aria-hidden className="size-3.5" /> Download
    </a>
  );
}
