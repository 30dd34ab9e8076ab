/** How many letters that visitors can cause a mailbox may have: they type in addresses that may be others'. */
import * as DeviceCookie from "@quittance/auth/DeviceCookie"
import { lettersOfAddress, mailboxOf } from "@quittance/domain/documents/UnsentLetter"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { MailboxesRepo } from "@quittance/persistence/documents/MailboxesRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { KeyEncryption } from "../../tokens/KeyEncryption.ts"

export class Mailboxes extends Context.Service<
  Mailboxes,
  {
    /**
     * Counts a letter to an address in the transaction around it, unless it is counted for that address already. The
     * mailbox that it is counted for; `undefined` where that has had all of its day.
     */
    take(
      email: string,
      countedFor?: Uint8Array
    ): Effect.Effect<Uint8Array | undefined, never, CurrentTenant>
  }
>()("@quittance/operations/Mailboxes") {
  static readonly layer = Layer.effect(
    Mailboxes,
    Effect.gen(function* () {
      const repo = yield* MailboxesRepo
      const [serviceKey] = Redacted.value((yield* KeyEncryption).keys)
      const key = DeviceCookie.deviceKey(serviceKey)

      const take = Effect.fnUntraced(function* (email: string, countedFor?: Uint8Array) {
        const tenant = yield* CurrentTenant
        const mailbox = DeviceCookie.accountKey(key, tenant, mailboxOf(email))
        if (countedFor !== undefined && mailbox.equals(countedFor)) return mailbox
        return (yield* repo.take(mailbox, lettersOfAddress)) ? mailbox : undefined
      })

      return Mailboxes.of({ take })
    })
  ).pipe(Layer.provide(MailboxesRepo.layer))
}
