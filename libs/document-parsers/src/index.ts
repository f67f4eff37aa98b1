export { ChildProcessParser, type ParserOptions } from './child-process-parser.js';
