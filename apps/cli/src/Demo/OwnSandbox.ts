/** A sandbox for the length of the demo: on a free port, in a folder that is gone afterwards. */
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { Duration, Effect, FileSystem, Path, Schedule } from "effect"
import { HttpClient } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { problem } from "../Problem.ts"

const patience = Duration.seconds(90)

/** Starts it, waits until it is ready and answers its port; it stops when the scope closes. */
export const start = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const main = path.join(import.meta.dirname, "../../../standalone/src/main.ts")
  if (!(yield* fs.exists(main))) return yield* noSandbox
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "quittance-demo-" })
  const port = yield* Effect.promise(freePort)
  const child = yield* spawner.spawn(
    ChildProcess.make(process.execPath, ["--conditions=@quittance/source", main], {
      // Nothing of it may reach what the surroundings name.
      env: {
        PORT: String(port),
        HOST: "127.0.0.1",
        DATA_DIR: folder,
        ENVIRONMENT: "sandbox",
        DATABASE_URL: undefined,
        AUTH_URL: undefined,
        BASE_URL: undefined
      },
      extendEnv: true,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
      killSignal: "SIGTERM",
      forceKillAfter: "15 seconds"
    })
  )
  yield* Effect.raceFirst(
    waitFor(port),
    Effect.andThen(child.exitCode, Effect.fail(problem("The demo's sandbox did not start.")))
  )
  return port
})

const noSandbox = Effect.fail(
  problem(
    "Nothing answers: start the sandbox, or say where the service is in BASE_URL and AUTH_URL."
  )
)

const waitFor = (port: number) =>
  HttpClient.get(`http://127.0.0.1:${port}/health/ready`).pipe(
    Effect.filterOrFail(({ status }) => status === 200),
    Effect.retry(Schedule.spaced("100 millis")),
    Effect.timeout(patience)
  )
