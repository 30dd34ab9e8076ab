import { Context } from "effect"
import { HttpApi } from "effect/http-api"

/** Every fault of a part, not only its first. */
export const parameterParsing = { errors: "all" } as const
/** As above; and a body may not hold what its schema does not name. */
export const bodyParsing = { errors: "all", onExcessProperty: "error" } as const

/** How the requests of an API are read: the annotations of the API. */
export const parsing = Context.make(HttpApi.ParseOptions, parameterParsing).pipe(
  Context.add(HttpApi.PayloadParseOptions, bodyParsing)
)
