export { ChildProcessParser, type ParserOptions } from './child-process-parser.js';
export { MediaTypeReader } from './media-type.js';
