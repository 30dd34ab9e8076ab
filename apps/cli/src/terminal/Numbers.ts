/** Counts and durations as people read them: the one style of every command. */

/** How the texts of commands write numbers, which are English. */
export const language = "en-IE"

/** A count with its thousands apart: `12,345`. */
export const count = (value: number | bigint): string => value.toLocaleString(language)

/** So many of a thing: `1 row`, `12,345 rows`; `many` is for what has a plural of its own. */
export const counted = (value: number | bigint, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 || value === 1n ? one : many}`

/** Seconds in the largest whole unit, rounded up: `45 s`, `3 min`, `2 h`. */
export const lasting = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  return whole < 3600 ? `${Math.ceil(whole / 60)} min` : `${count(Math.ceil(whole / 3600))} h`
}

/** Milliseconds, exactly: `3,000 ms`. */
export const milliseconds = (value: number): string => `${count(value)} ms`
