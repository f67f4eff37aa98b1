/** Valid names of skills (3.I-7). */
export const SKILL_NAME = /^[A-Za-z0-9_-]{1,200}$/;
