/** Starts one PostgreSQL for a run of vitest and tells the tests where it is. */
import { Effect, Exit, Scope } from "effect"
import type { TestProject } from "vitest/node"
import * as TestServer from "./TestServer.ts"

export default async (project: TestProject) => {
  const scope = Scope.makeUnsafe()
  const server = await Effect.runPromise(Scope.provide(TestServer.start, scope))
  project.provide("postgres", server)
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
