// Exposure: what a principal's host is sent — lists, instructions, capabilities.
// In: a snapshot and the policy. Out: finished text, the same on every request.
// The only room that decides what is listed; calls are decided by the same policy in routing.
export { mergedCapabilities } from './capabilities.ts';
export { type InstructionsDeps, mergeInstructions } from './instructions.ts';
export { createLists, type ListBody, type Lists, type ListsDeps } from './lists.ts';
