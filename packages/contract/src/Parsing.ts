import { Context } from "effect"
import { HttpApi } from "effect/http-api"

/** Every fault of a part, not only its first; a body may not hold what its schema does not name. */
export const parsing = Context.make(HttpApi.ParseOptions, { errors: "all" }).pipe(
  Context.add(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
)
