import type { HostRequest } from '../routing/index.ts';
import { childMembers, type Edit, type Member, spliceFrame, textAt } from '../wire/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A call of a tool that a call of the meta-tool carries. */
export interface InnerCall {
  /** As if the host had called the tool by itself: its own bytes for the arguments, and everything around them. */
  readonly request: HostRequest;
  readonly name: string;
  readonly arguments: Fields;
}

const KEYS: ReadonlySet<string> = new Set(['name', 'arguments']);

/**
 * The call inside a call; a text says what is wrong with it.
 *
 * @throws JsonScanError when it can be read in two ways
 */
export function innerCall(request: HostRequest): InnerCall | string {
  const { frame, params, paramsSpan } = request;
  const outer = params['arguments'];
  if (!isRecord(outer)) return 'give the name of a tool and its arguments';
  const { name, arguments: given } = outer;
  const args = given ?? {};
  const others = Object.keys(outer).filter((key) => !KEYS.has(key));
  if (typeof name !== 'string' || name === '') return '"name" must be the name of a tool';
  if (!isRecord(args)) return '"arguments" must be an object';
  if (others.length > 0)
    return `put ${others.map((key) => JSON.stringify(key)).join(', ')} inside "arguments"`;
  const spliced = spliceFrame(frame, editsFor(request, name, given));
  const inner = {
    ...request,
    frame: spliced,
    params: { ...params, name, arguments: args },
    paramsSpan: paramsSpan === undefined ? undefined : spliced.members.get('params'),
    // The headers mirror the outer call, and were checked against it.
    headerOf: undefined,
  };
  return { name, arguments: args, request: inner };
}

/** Puts the inner name and arguments in the place of the outer ones, arguments byte for byte. */
function editsFor({ frame, paramsSpan }: HostRequest, name: string, given: unknown): Edit[] {
  const members = childMembers(frame.bytes, paramsSpan);
  const outer = members?.get('arguments');
  const span = childMembers(frame.bytes, outer)?.get('arguments');
  const text = span === undefined || given === null ? '{}' : textAt(frame.bytes, span);
  const edits: Edit[] = [];
  const put = (at: Member | undefined, value: string): void => {
    if (at !== undefined) edits.push({ start: at.start, end: at.end, text: value });
  };
  put(members?.get('name'), JSON.stringify(name));
  put(outer, text);
  return edits;
}
