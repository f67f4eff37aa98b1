import { useEffect, useRef, useState, type ReactNode } from 'react';
import { clsx } from 'clsx';
import { Button, type ButtonProps } from './button.js';

/**
 * A button that opens a panel below itself; Esc, a click elsewhere and leaving it by keyboard close it. Without a library,
 * since those lock the page by a style element that the content security policy forbids.
 */
export function Popover({
  label,
  button,
  className = 'w-64',
  children,
  ...rest
}: Omit<ButtonProps, 'children'> & {
  readonly label: string;
  readonly button: ReactNode;
  readonly children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const [opener, setOpener] = useState<HTMLButtonElement | null>(null);
  const close = (): void => {
    setIsOpen(false);
    opener?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointer = (event: PointerEvent): void => {
      if (event.target instanceof Node && place.current?.contains(event.target) !== true) setIsOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [isOpen]);
  return (
    <div
      ref={place}
      className="md:relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setIsOpen(false);
      }}
    >
      <Button
        {...rest}
        ref={setOpener}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        title={rest.unavailable === undefined ? label : rest.title}
        onClick={() => setIsOpen(!isOpen)}
      >
        {button}
      </Button>
      {isOpen && (
        <div
          ref={keepWithin}
          role="dialog"
          aria-label={label}
          className={clsx(
            'absolute z-30 mt-1 max-h-[70dvh] overflow-y-auto rounded-lg border border-line bg-raised p-2 text-base',
            'text-ink shadow-over max-md:inset-x-4 max-md:w-auto md:top-full md:right-0',
            className,
          )}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}

/** A panel ends with its button, or begins with it where it would leave the window on the left. */
function keepWithin(panel: HTMLElement | null): void {
  if (panel === null || panel.getBoundingClientRect().left >= 0) return;
  Object.assign(panel.style, { right: 'auto', left: '0' });
}
