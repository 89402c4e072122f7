import { nativeUri, type NativeUri, type ServerId } from '../domain/index.ts';
import {
  childMembers,
  type Edit,
  isStringAt,
  memberSpans,
  rootSpan,
  splice,
  stringAt,
} from '../wire/index.ts';
import type { CatalogEntry } from './snapshot.ts';

type Expose = (server: ServerId, uri: NativeUri) => string;

/** A tool that names the page of its app names it in the form in which hosts can read it. */
export function withExposedPage(entry: CatalogEntry, expose: Expose): CatalogEntry {
  if (!entry.json.includes('resourceUri')) return entry;
  const json = exposePage(entry.json, entry.server, expose);
  return json === entry.json
    ? entry
    : { ...entry, json, legacyJson: exposePage(entry.legacyJson, entry.server, expose) };
}

/** Both places that hosts look at: `_meta.ui.resourceUri`, and the flat key of earlier hosts. */
function exposePage(text: string, server: ServerId, expose: Expose): string {
  const bytes = Buffer.from(text, 'utf8');
  const meta = childMembers(bytes, memberSpans(bytes, rootSpan(bytes)).get('_meta'));
  const edits: Edit[] = [];
  for (const span of [
    childMembers(bytes, meta?.get('ui'))?.get('resourceUri'),
    meta?.get('ui/resourceUri'),
  ]) {
    if (span === undefined || !isStringAt(bytes, span)) continue;
    const native = nativeUri(stringAt(bytes, span) ?? '');
    const exposed = expose(server, native);
    if (exposed !== native) edits.push({ start: span.start, end: span.end, text: JSON.stringify(exposed) });
  }
  return edits.length === 0 ? text : splice(bytes, edits).toString('utf8');
}
