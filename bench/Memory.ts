/** How much memory this process has in use, once what nothing refers to is gone. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** Bytes that are in use, those outside of the heap of JavaScript included. */
export const inUse = () => {
  for (let times = 0; times < 4; times++) collectGarbage()
  const { external, heapUsed, rss } = process.memoryUsage()
  return { used: heapUsed + external, rss }
}
