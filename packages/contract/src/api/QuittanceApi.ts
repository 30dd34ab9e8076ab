import { HttpApi } from "effect/http-api"
import { EdgeApi } from "./EdgeApi.ts"
import { PublicApi } from "./PublicApi.ts"

/** All routes of the interface that the contract describes, whichever app serves them. */
export class QuittanceApi extends HttpApi.make("quittance")
  .addHttpApi(PublicApi)
  .addHttpApi(EdgeApi) {}
