/**
 * Starts the service, with what Node makes of the sources kept for the next time: that is most of a
 * start. Where the folder can't be written it goes without.
 */
import { enableCompileCache } from "node:module"
import { join } from "node:path"

enableCompileCache(join(import.meta.dirname, "../../../node_modules/.cache/compiled"))
await import("./Start.ts")
