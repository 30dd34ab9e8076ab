import { AllocatedEntry, BankEntry, EntrySuggestions } from "@quittance/domain/treasury/BankEntry"
import {
  AllocateEntry,
  entryFilter,
  IgnoreEntry
} from "@quittance/domain/treasury/TreasuryRequests"
import { BankEntryId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { exampleId } from "../requests/Examples.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { treasuryErrors } from "./TreasuryErrors.ts"
import { entryParameters, entryTerms } from "./EntryTerms.ts"

export const BankEntryPage = Page(BankEntry).annotate({ identifier: "BankEntryPage" })

const onEntry = { params: { bankEntryId: BankEntryId } }
const written = { query: triedQuery, headers: writeHeaders, success: AllocatedEntry }
const errors = [
  treasuryErrors.BankEntryNotFound,
  requestErrors.InvalidTransition,
  requestErrors.IdempotencyKeyInUse,
  requestErrors.IdempotencyKeyReused
] as const

export class BankEntries extends bearer(
  HttpApiGroup.make("bankEntries")
    .add(
      HttpApiEndpoint.get("list", "/bank-entries", {
        query: { ...pageQuery, ...entryFilter },
        success: BankEntryPage
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(OpenApi.Summary, "List entries of statements, the newest first")
        .annotate(
          OpenApi.Description,
          "`queryString`: every word has to begin a word of the payer's name, the references or the texts."
        ),
      HttpApiEndpoint.get("get", "/bank-entries/:bankEntryId", {
        ...onEntry,
        success: AllocatedEntry,
        error: treasuryErrors.BankEntryNotFound
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read an entry and the payments that it is"),
      HttpApiEndpoint.get("suggestions", "/bank-entries/:bankEntryId/suggestions", {
        ...onEntry,
        success: EntrySuggestions,
        error: treasuryErrors.BankEntryNotFound
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(OpenApi.Summary, "Suggest invoices for an entry, the likeliest first")
        .annotate(OpenApi.Description, "At most ten, each with the reasons for it."),
      HttpApiEndpoint.post("allocate", "/bank-entries/:bankEntryId/allocate", {
        ...onEntry,
        ...written,
        payload: AllocateEntry,
        error: [...errors, treasuryErrors.InvalidAllocation]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "TENANT"))
        .annotate(RequestExample, {
          allocations: [{ invoiceId: exampleId("invoice"), amount: 8000 }],
          rest: "SUSPENSE"
        })
        .annotate(OpenApi.Summary, "Pay invoices with an entry")
        .annotate(
          OpenApi.Description,
          "A dry run answers which invoices it would settle. No rule touches the entry again."
        ),
      HttpApiEndpoint.post("unallocate", "/bank-entries/:bankEntryId/unallocate", {
        ...onEntry,
        ...written,
        payload: NoMembers,
        error: [...errors, requestErrors.Conflict, treasuryErrors.InvalidAllocation]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "TENANT"))
        .annotate(OpenApi.Summary, "Undo what an entry was allocated to")
        .annotate(
          OpenApi.Description,
          "Its payments are undone: what they settled is owed again. An entry that was ignored waits for people again."
        ),
      HttpApiEndpoint.post("ignore", "/bank-entries/:bankEntryId/ignore", {
        ...onEntry,
        ...written,
        payload: IgnoreEntry,
        error: errors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "TENANT"))
        .annotate(RequestExample, { reason: "Interest for the quarter", account: "OTHER" })
        .annotate(OpenApi.Summary, "Set aside an entry that no payment is")
    )
    .annotateMerge(access({ scope: "platform/payments", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({
        errors: {},
        terms: entryTerms,
        parameters: entryParameters
      })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Bank entries",
        description: "Payments on statements, and what each is in the books."
      })
    )
) {}
