/** Starts a server for tests, says where it is, and runs until it is killed. */
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asSuperuser } from "@quittance/embedded-postgres/Cluster"
import * as TestServer from "../src/TestServer.ts"

const program = Effect.gen(function* () {
  const server = yield* TestServer.start
  const wait = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly folder: string }>`
      SELECT setting AS folder FROM pg_settings WHERE name = 'data_directory'
    `
    yield* Console.log(JSON.stringify({ port: server.port, folder: row!.folder }))
    return yield* Effect.never
  })
  // The open connection keeps this process running; a fiber that waits does not.
  return yield* asSuperuser(server, wait)
}).pipe(Effect.scoped)

Effect.runFork(program)
