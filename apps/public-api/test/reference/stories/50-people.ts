/** Who works with the tenant: firms, users, programs, roles, invitations and sign-ins. */
import { InvitationId } from "@quittance/domain/access/Invitation"
import { password } from "@quittance/operations/provisioning/Sandbox"
import { OneTimeLinkKey } from "@quittance/operations/access/OneTimeLinkKey"
import { Effect, Redacted } from "effect"
import type { World } from "../../Api.ts"
import { idOf, signInOf } from "../../SignedIn.ts"
import { by } from "../Stage.ts"

const people = Effect.fnUntraced(function* (world: World) {
  const client = by(world, world.client)
  const manager = by(world, world.manager)

  // A broker joins the tenant with their firm.
  const firm = yield* client.post("/brokerage-firms", {
    name: "Cabinet Lambert",
    firmType: "RETAIL"
  })
  const inFirm = `/brokerage-firms/${firm["id"]}`
  yield* manager.get(inFirm)
  yield* manager.patch(inFirm, { name: "Cabinet Lambert & Filles" })
  yield* manager.get("/brokerage-firms")
  const user = yield* client.post("/admin/users", {
    email: "louise.lambert@example.org",
    firstName: "Louise",
    lastName: "Lambert",
    brokerRole: "Head of motor",
    brokerageFirmId: firm["id"]
  })
  const onUser = `/admin/users/${user["id"]}`
  yield* manager.get(onUser)
  yield* manager.patch(onUser, { lastName: "Lambert-Moreau" })
  yield* manager.get("/admin/users")

  // What they may do.
  yield* manager.put("/permissions/roles/CLAIMS_DESK", {
    name: "Claims desk",
    actions: { policy: ["read"], customer: ["read", "write"], quote: ["read"] }
  })
  yield* manager.get("/permissions/roles")
  const onFirm = { kind: "FIRM", brokerageFirmId: firm["id"] }
  yield* manager.put(`${onUser}/permissions`, {
    permissions: [
      { role: "BROKER", on: onFirm },
      { role: "CLAIMS_DESK", on: { kind: "TENANT" } }
    ]
  })
  yield* manager.get(`${onUser}/permissions`)
  yield* manager.put("/permissions/roles/TRAINEE", { name: "Trainee", actions: {} })
  yield* manager.remove("/permissions/roles/TRAINEE")

  // The auditor has lost their telephone.
  const auditor = `/admin/users/${yield* idOf(world.tenant, "auditor")}`
  yield* manager.post(`${auditor}/disable`)
  yield* manager.post(`${auditor}/enable`)
  yield* manager.post(`${auditor}/reset-second-factor`)

  // A colleague is invited to look after the firm's policies too.
  const invitation = yield* manager.post("/invitations", {
    email: "samuel.costa@example.org",
    firstName: "Samuel",
    lastName: "Costa",
    permissions: [{ role: "BROKER", on: onFirm }]
  })
  const inInvitation = `/invitations/${invitation["id"]}`
  yield* manager.get(inInvitation)
  yield* manager.get("/invitations")
  yield* manager.post(`${inInvitation}/resend`)
  const links = yield* OneTimeLinkKey
  const token = links.token(world.tenant, InvitationId.make(String(invitation["id"])))
  const colleague = by(world, world.south)
  yield* colleague.post("/invitations/accept", { token: Redacted.value(token) })
  yield* colleague.get(`/permissions/explain?action=policy.read&record=${firm["id"]}`)
  const withdrawn = yield* manager.post("/invitations", {
    email: "lea.petit@example.org",
    permissions: [{ role: "AUDITOR", on: { kind: "TENANT" } }]
  })
  yield* manager.remove(`/invitations/${withdrawn["id"]}`)
})

const signIns = Effect.fnUntraced(function* (world: World) {
  const south = yield* idOf(world.tenant, "south")
  const { token } = yield* signInOf(world.tenant, south)
  const samuel = by(world, token)
  yield* samuel.get("/account")
  yield* samuel.get("/account/sign-ins")
  const client = by(world, world.client)
  yield* client.get(`/admin/users/${south}/sign-ins`)

  // They sign in elsewhere twice, and again with another password.
  const atWork = yield* signInOf(world.tenant, south)
  yield* samuel.remove(`/account/sign-ins/${atWork.id}`)
  const onTheWay = yield* signInOf(world.tenant, south)
  yield* client.remove(`/admin/users/${south}/sign-ins/${onTheWay.id}`)
  yield* samuel.post("/account/password", {
    presentPassword: password,
    newPassword: "a harbour with nine cranes"
  })
})

/** A program that reads the bills. */
const programs = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  const made = yield* manager.post("/admin/clients", {
    clientId: "acme-crm",
    name: "Customer relations",
    scopes: ["platform/policies", "platform/billing"]
  })
  const onClient = `/admin/clients/${made["clientId"]}`
  yield* manager.get(onClient)
  const second = yield* manager.post(`${onClient}/secrets`)
  yield* manager.remove(`${onClient}/secrets/${second["secretId"]}`)
  yield* manager.put(`${onClient}/keys`, {
    keys: [
      {
        kid: "2026-04",
        kty: "EC",
        alg: "ES256",
        crv: "P-256",
        x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
      }
    ]
  })
  yield* manager.get("/admin/clients")
  yield* manager.remove(onClient)
})

export const story = Effect.fnUntraced(function* (world: World) {
  yield* people(world)
  yield* signIns(world)
  yield* programs(world)
})
