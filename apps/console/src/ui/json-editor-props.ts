export interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  /** Why the text cannot be used; null where it can. */
  readonly fault: string | null;
  readonly onChange: (text: string) => void;
}
