/** How far a command is that takes its time: a bar on a terminal, else a line now and then. */
import { Clock, Effect } from "effect"
import { count, lasting } from "./Numbers.ts"

/** Where it is told: on a terminal of so many columns, or on what is none. */
export interface Screen {
  readonly columns: number | undefined
  readonly write: (text: string) => Effect.Effect<void>
}

/** Standard error: what a command answers stays apart from it. */
export const stderr: Screen = {
  columns: process.stderr.isTTY ? process.stderr.columns : undefined,
  write: (text) => Effect.sync(() => void process.stderr.write(text))
}

/** How much is done, and how long it took in milliseconds. */
export interface ProgressStep {
  readonly done: number
  readonly total: number
  readonly millis: number
}

const percentOf = ({ done, total }: ProgressStep): number =>
  total === 0 ? 100 : Math.floor((done * 100) / total)

const rateOf = ({ done, millis }: ProgressStep): number =>
  millis === 0 ? 0 : (done * 1000) / millis

/** What is known of it, in words. */
export const told = (advance: ProgressStep): string => {
  const { done, total } = advance
  const rate = rateOf(advance)
  const left = rate === 0 || done === total ? "" : `, ${lasting((total - done) / rate)} left`
  const speed = rate === 0 ? "" : `, ${count(Math.round(rate))}/s`
  return `${percentOf(advance)}% (${count(done)} of ${count(total)}${speed}${left})`
}

const longestBar = 40
const shortestBar = 5

/** A line that fits into the columns: what is done, a bar, and the words; the bar gives way first. */
export const bar = (what: string, advance: ProgressStep, columns: number): string => {
  const words = `${what}  ${told(advance)}`
  // The last column stays free: a full line would move the cursor to the next one.
  const room = Math.min(longestBar, columns - 1 - words.length - 2)
  if (room < shortestBar) return words.slice(0, Math.max(0, columns - 1))
  const filled = Math.floor((room * percentOf(advance)) / 100)
  return `${what}  ${"█".repeat(filled)}${"░".repeat(room - filled)}  ${told(advance)}`
}

/** How often a bar is drawn at most. */
const redrawMillis = 100
/** At which steps a line is written where there is no terminal. */
const stepPercent = 5

const clear = "\r\u001b[2K"

/**
 * Begins to tell how far something is. What it answers is called with what is done so far and the
 * total; once both are the same the bar goes.
 */
export const start = Effect.fn("Progress.start")(function* (what: string, screen = stderr) {
  const began = yield* Clock.currentTimeMillis
  let drawn = -Infinity
  let percent = 0

  const onTerminal = (advance: ProgressStep, columns: number) => {
    if (advance.done === advance.total) return screen.write(clear)
    if (advance.millis - drawn < redrawMillis) return Effect.void
    drawn = advance.millis
    return screen.write(`${clear}${bar(what, advance, columns)}`)
  }

  const inLines = (advance: ProgressStep) => {
    const next = percentOf(advance)
    const isLast = advance.done === advance.total
    if (advance.total === 0 || (next < percent + stepPercent && !(isLast && next > percent))) {
      return Effect.void
    }
    percent = next - (next % stepPercent)
    return screen.write(`${what}: ${told(advance)}\n`)
  }

  return (done: number, total: number): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const advance = { done, total, millis: now - began }
      return screen.columns === undefined ? inLines(advance) : onTerminal(advance, screen.columns)
    })
})
