import * as NodeServices from "@effect/platform-node/NodeServices"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { maximumBankFile } from "@quittance/contract/treasury/BankStatements"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { BankFileForm } from "@quittance/domain/treasury/TreasuryRequests"
import * as MultipartForm from "@quittance/http/MultipartForm"
import { BankStatements } from "@quittance/operations/treasury/BankStatements"
import { Treasury } from "@quittance/operations/treasury/Treasury"
import { Effect, Layer, Struct } from "effect"
import { HttpApiBuilder } from "effect/http-api"

const pages = ["count", "page"] as const

export const BankStatementsHandlers = HttpApiBuilder.group(
  PublicApi,
  "bankStatements",
  Effect.fn(function* (handlers) {
    const statements = yield* BankStatements
    const treasury = yield* Treasury

    return handlers.handleAll({
      take: ({ params, payload }) =>
        statements.take(
          params.bankAccountId,
          MultipartForm.receive(payload, BankFileForm, maximumBankFile)
        ),
      ledger: ({ params, query }) => treasury.ledger(params.bankAccountId, pageRequest(query)),
      awaited: ({ params, query }) => treasury.awaited(params.bankAccountId, pageRequest(query)),
      list: ({ query }) => statements.list(Struct.omit(query, pages), pageRequest(query)),
      get: ({ params }) => statements.get(params.bankStatementId),
      accept: ({ params, payload }) => statements.accept(params.bankStatementId, payload)
    })
  })
).pipe(
  Layer.provide([BankStatements.layer, Treasury.layer]),
  // A folder or a bucket of contents.
  Layer.provide(NodeServices.layer)
)
