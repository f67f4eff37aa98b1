/** Log for operators. Details hold ids and errors, never prompts or tool arguments. */
export interface RunLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
