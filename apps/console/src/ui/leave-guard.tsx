import { useBlocker } from '@tanstack/react-router';
import { Confirm } from './confirm.js';

/** Asks before a page with unsaved changes is left; another tab or selection of the same page is no leaving. */
export function LeaveGuard({
  isDirty,
  name,
  onLeave,
}: {
  readonly isDirty: boolean;
  /** Thing that was changed, such as `agent Sales`. */
  readonly name: string;
  /** Called when the changes are given up. */
  readonly onLeave: () => void;
}) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Confirm
      title="Leave without saving?"
      action="Leave, and lose the changes"
      onClose={blocker.reset}
      onConfirm={() => {
        onLeave();
        blocker.proceed();
      }}
    >
      <p>The changes of {name} are not saved.</p>
    </Confirm>
  );
}
