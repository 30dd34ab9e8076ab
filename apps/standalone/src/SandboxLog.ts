/** The log of a sandbox, for the person before the terminal; production writes JSON. */
import { Console, DateTime, Effect, Layer, Logger, References } from "effect"
import * as JsonLog from "@quittance/http/JsonLog"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"

const pretty = Logger.consolePretty()

/** A request is one short line; what else happens looks as Effect shows it. */
const logger = Logger.make((options) => {
  const { date, fiber, message } = options
  const text = Array.isArray(message) ? message.join(" ") : String(message)
  if (text !== "request") return pretty.log(options)
  const { method, milliseconds, path, status, tenant } = fiber.getRef(
    References.CurrentLogAnnotations
  )
  const time = DateTime.formatIso(DateTime.fromDateUnsafe(date)).slice(11, 19)
  const parts = [time, status, method, path, tenant, `${String(milliseconds)} ms`]
  const line = parts.filter((part) => part !== "").join(" ")
  return fiber.getRef(Console.Console).log(`  ${line}`)
})

/** In place of the lines of JSON; what is exported stays. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    if ((yield* runningEnvironment) === "production") return Layer.empty
    const others = [...(yield* Logger.CurrentLoggers)].filter((other) => other !== JsonLog.logger)
    return Logger.layer([logger, ...others])
  })
)
