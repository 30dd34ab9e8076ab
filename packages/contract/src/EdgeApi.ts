import { HttpApi } from "effect/http-api"
import { AnonymousSessions } from "./AnonymousSessions.ts"
import { Configuration } from "./Configuration.ts"
import { parsing } from "./Parsing.ts"
import { RequestValidation } from "./RequestValidation.ts"
import { Tenancy } from "./Tenancy.ts"

/** The routes that take a tenant but no token. */
export class EdgeApi extends HttpApi.make("edge")
  .add(AnonymousSessions, Configuration)
  .middleware(RequestValidation)
  .middleware(Tenancy)
  .annotateMerge(parsing) {}
