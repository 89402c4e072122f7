import { z } from 'zod';
import type { Track } from './corpus.ts';

/** The tracks as one sentence part: `blog (Engineering notes), kernel (Operating systems)`. */
export function describeTracks(tracks: readonly Track[]): string {
  return tracks.map(({ id, title }) => (title === id ? id : `${id} (${title})`)).join(', ');
}

/**
 * The published schema and the check of arguments are this one enum. Its message lists the tracks, so that
 * a model that guessed can repair the call from the error alone.
 */
export function createTrackSchema(tracks: readonly Track[]): z.ZodEnum<Record<string, string>> {
  const ids = tracks.map((track) => track.id);
  return z.enum(ids, {
    error: (issue) =>
      issue.input === undefined
        ? `A track is required; the tracks are ${ids.join(', ')}.`
        : `There is no track ${JSON.stringify(issue.input)}; the tracks are ${ids.join(', ')}.`,
  });
}
