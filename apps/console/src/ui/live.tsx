/** Whether what is shown is current: by a word, and by the shape and colour of a dot. */
export function Live({ isInterrupted }: { readonly isInterrupted: boolean }) {
  return (
    <span role="status" className="flex items-center gap-1.5 text-sm text-muted">
      <span
        aria-hidden
        className={isInterrupted ? 'size-2 rounded-xs bg-failed' : 'size-2 rounded-full bg-done'}
      />
      {isInterrupted ? 'Not current: the server cannot be reached' : 'Live'}
    </span>
  );
}
