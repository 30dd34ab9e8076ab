import { HttpApi } from "effect/http-api"
import { AnonymousSessions } from "../sessions/AnonymousSessions.ts"
import { Certificates } from "../signatures/Certificates.ts"
import { Configuration } from "../products/Configuration.ts"
import { parsing } from "../requests/Parsing.ts"
import { RequestValidation } from "../requests/RequestValidation.ts"
import { Tenancy } from "../requests/Tenancy.ts"

/** The routes that take a tenant but no token. */
export class EdgeApi extends HttpApi.make("edge")
  .add(AnonymousSessions, Configuration, Certificates)
  .middleware(RequestValidation)
  .middleware(Tenancy)
  .annotateMerge(parsing) {}
