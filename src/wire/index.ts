// Bytes on the wire: JSON spans and splices, JSON-RPC frames, lines, event streams, mirrored headers.
// In: buffers from a peer. Out: spans, edited buffers, text to send.
// Nothing here knows a server, a host or a policy.
export { decodeHeaderValue, encodeHeaderValue, isToken } from './header-values.ts';
export type { Members } from './envelope.ts';
export {
  childMembers,
  errorFrame,
  type Frame,
  type FrameKind,
  notificationFrame,
  requestFrame,
  resultFrame,
  scanFrame,
} from './frames.ts';
export {
  elementSpans,
  isObjectAt,
  isStringAt,
  JsonScanError,
  type Member,
  memberSpans,
  rootSpan,
  type Span,
  stringAt,
  textAt,
} from './json-spans.ts';
export { createLineSplitter, type LineSplitter, type LineSplitterOptions } from './lines.ts';
export {
  checkParamHeaders,
  type ParamHeader,
  type ParamHeaderPlan,
  planParamHeaders,
  renderParamHeaders,
} from './param-headers.ts';
export { spliceFrame, withId } from './retarget.ts';
export { type Edit, insertMember, reshapeObject, splice } from './splice.ts';
export {
  createSseDecoder,
  encodeSseEvent,
  SSE_KEEP_ALIVE,
  type SseDecoder,
  type SseDecoderOptions,
  type SseEvent,
} from './sse.ts';
