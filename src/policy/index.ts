// Policy: whether a principal may see and use an entry.
// In: the configuration, a principal, a catalog entry. Out: one decision, asked everywhere.
// What is not visible answers exactly as what does not exist; the reason goes to the log alone.
export { createPolicy, type Decision, type DenialReason, type Policy } from './policy.ts';
