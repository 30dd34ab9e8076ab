/**
 * The log of a program: one line of JSON for each event, on the standard output. Lines that come close
 * to each other leave in one write, since under load it is the writes that cost.
 */
import { Layer, Logger } from "effect"

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

export const layer = Layer.suspend(() => {
  // Whatever ends the process, what was said before is written.
  process.once("exit", flush)
  return Logger.layer([Logger.map(Logger.formatJson, write)])
})
