/** Starts a server for tests, says where it is, and runs until it is killed. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asSuperuser } from "../src/embedded/Cluster.ts"
import * as TestServer from "../src/testing/TestServer.ts"

const program = Effect.gen(function* () {
  const server = yield* TestServer.start
  const sql = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly folder: string }>`
    SELECT setting AS folder FROM pg_settings WHERE name = 'data_directory'
  `
  )
  const [row] = yield* asSuperuser(server, sql)
  yield* Console.log(JSON.stringify({ port: server.port, folder: row!.folder }))
  return yield* Effect.never
}).pipe(Effect.scoped)

// Unlike a bare fiber it keeps the process running while it waits.
NodeRuntime.runMain(program)
