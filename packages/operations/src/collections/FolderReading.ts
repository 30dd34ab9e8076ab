/** Reads what banks have left in folders: statements and answers, each once. */
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { TenantId } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer, Schema } from "effect"
import { runFor } from "../requests/TenantBatch.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { BankStatements } from "../treasury/BankStatements.ts"
import { BankFolders, type IncomingFile } from "./BankFolders.ts"
import { worker } from "./DebitFilling.ts"

const isTenantId = Schema.is(TenantId)

export class FolderReading extends Context.Service<
  FolderReading,
  {
    /**
     * Reads what has come, and moves it to `done`, or to `failed` where it can't be read or is of another account.
     * One that was read and not moved is known the next time. What lies in the folder of no account stays there.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/FolderReading") {
  static readonly layer = Layer.effect(
    FolderReading,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const folders = yield* BankFolders
      const statements = yield* BankStatements
      const tenants = yield* TenantDirectory

      const read = Effect.fnUntraced(function* (file: IncomingFile) {
        const account = (yield* accounts.all).find(({ name }) => name === file.account)
        if (account?.settings.channel !== "FOLDER") return
        const bytes = yield* folders.read(file)
        if (bytes === "GONE") return
        if (bytes === "TOO_LARGE") return yield* folders.move(file, "failed")
        yield* statements.takeFor(account.id, bytes, worker).pipe(
          Effect.andThen(folders.move(file, "done")),
          Effect.catchTags({
            InvalidBankFile: (failure) => failed(file, failure),
            StatementOfOtherAccount: (failure) => failed(file, failure)
          })
        )
      })

      const failed = (file: IncomingFile, failure: { readonly message: string }) =>
        Effect.andThen(
          Effect.logWarning("A file of a bank could not be read", failure.message),
          folders.move(file, "failed")
        )

      const one = Effect.fnUntraced(function* (file: IncomingFile) {
        if (!isTenantId(file.tenant)) return
        if ((yield* tenants.find(file.tenant)) === undefined) return
        yield* runFor(file.tenant, read(file), {
          message: "A file of a bank could not be read and is tried again",
          answer: undefined
        }).pipe(Effect.annotateLogs({ account: file.account, file: file.name }))
      })

      const round = Effect.gen(function* () {
        yield* Effect.forEach(yield* folders.incoming, one, { discard: true })
        return false
      }).pipe(Effect.withSpan("FolderReading.round"))

      return FolderReading.of({ round })
    })
  ).pipe(
    Layer.provide([
      BankAccountsRepo.layer,
      BankFolders.layer,
      BankStatements.layer,
      TenantDirectory.layer
    ])
  )
}
