/** Runs the command, with what Node makes of the sources kept for the next time. */
import { enableCompileCache } from "node:module"
import { join } from "node:path"

enableCompileCache(join(import.meta.dirname, "../../../node_modules/.cache/compiled"))
await import("./Quittance.ts")
