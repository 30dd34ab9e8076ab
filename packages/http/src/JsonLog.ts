/**
 * The log of a program: one line of JSON for each event, on the standard output. Lines that come close
 * to each other leave in one write, since under load it is the writes that cost.
 */
import { Formatter, Layer, Logger } from "effect"

/** Milliseconds that a line may wait for others. */
const gathering = 10

let pending = ""

const flush = () => {
  const lines = pending
  pending = ""
  if (lines !== "") process.stdout.write(lines)
}

const write = (line: string) => {
  if (pending === "") setTimeout(flush, gathering)
  pending += `${line}\n`
}

type Event = ReturnType<typeof Logger.formatStructured.log>

/**
 * The line of an event, as Effect writes it. What its formatter looks for, at a high price, are secrets,
 * circles and getters: there are none in texts and numbers, of which the line of a request is made.
 */
export const format = (event: Event): string =>
  isPlain(event.message) && Object.values(event.annotations).every(isPlain)
    ? JSON.stringify(event)
    : Formatter.formatJson(event)

const isPlain = (value: unknown): boolean => typeof value === "string" || typeof value === "number"

/** Writes the lines. */
export const logger = Logger.map(Logger.formatStructured, (event) => write(format(event)))

export const layer = Layer.suspend(() => {
  // Whatever ends the process, what was said before is written.
  process.once("exit", flush)
  return Logger.layer([logger])
})
