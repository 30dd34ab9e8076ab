import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as SandboxGuide from "./SandboxGuide.ts"
import * as StartPage from "./StartPage.ts"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"

/** `/`, which exists outside production only. */
export const Routes = Layer.unwrap(
  Effect.map(runningEnvironment, (environment) =>
    environment === "production"
      ? Layer.empty
      : HttpRouter.addAll(
          Effect.map(Issuers, (issuers) => {
            const page = HttpServerResponse.html(StartPage.html(SandboxGuide.make(issuers)))
            return [
              HttpRouter.route("GET", "/", HttpServerResponse.setHeaders(page, StartPage.headers))
            ]
          })
        )
  )
)
