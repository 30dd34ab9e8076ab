import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { BankEntries } from "@quittance/operations/treasury/BankEntries"
import { EntryAllocations } from "@quittance/operations/treasury/EntryAllocations"
import { Effect, Layer, Struct } from "effect"
import { HttpApiBuilder } from "effect/http-api"

const pages = ["count", "page"] as const

export const BankEntriesHandlers = HttpApiBuilder.group(
  PublicApi,
  "bankEntries",
  Effect.fn(function* (handlers) {
    const allocations = yield* EntryAllocations
    const entries = yield* BankEntries

    return handlers.handleAll({
      list: ({ query }) => entries.list(Struct.omit(query, pages), pageRequest(query)),
      get: ({ params }) => entries.get(params.bankEntryId),
      suggestions: ({ params }) => entries.suggestions(params.bankEntryId),
      allocate: ({ params, payload }) => allocations.allocate(params.bankEntryId, payload),
      unallocate: ({ params }) => allocations.unallocate(params.bankEntryId),
      ignore: ({ params, payload }) => allocations.ignore(params.bankEntryId, payload)
    })
  })
).pipe(Layer.provide([BankEntries.layer, EntryAllocations.layer]))
