/** Permission on what belongs to the whole tenant, such as its products and templates. */
import { tenantWide } from "@quittance/auth/Grants"
import type { Action } from "@quittance/domain/requests/Action"
import { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Effect } from "effect"

/** A client's scope was checked; it stands for the whole tenant. */
export const tenantPermission = (grants: GrantsRepo["Service"]) =>
  Effect.fnUntraced(function* (action: Action) {
    const caller = yield* CurrentCaller
    if (caller._tag === "Client") return
    yield* Effect.catchTag(grants.require(action, tenantWide), "UserNotFound", Effect.die)
  })
