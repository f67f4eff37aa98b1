import { useState, type DragEvent } from 'react';

/** Files that are dragged over an element and dropped on it. */
export function useDrop(isAllowed: boolean, onFiles: (files: readonly File[]) => void) {
  const [depth, setDepth] = useState(0);
  const holdsFiles = (event: DragEvent): boolean => isAllowed && event.dataTransfer.types.includes('Files');
  return {
    isOver: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent): void => {
        if (holdsFiles(event)) setDepth((before) => before + 1);
      },
      onDragLeave: (event: DragEvent): void => {
        if (holdsFiles(event)) setDepth((before) => Math.max(0, before - 1));
      },
      onDragOver: (event: DragEvent): void => {
        if (holdsFiles(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent): void => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
