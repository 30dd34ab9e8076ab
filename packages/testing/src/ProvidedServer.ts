/** What `globalSetup` gives to the tests of a run. */
import type { Server } from "./TestServer.ts"

/** The server that was started for the run: `inject("postgres")`. */
export type ProvidedServer = Server

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: ProvidedServer
  }
}
