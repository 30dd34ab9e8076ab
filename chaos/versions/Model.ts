/** A policy by its accepted commands alone: what each of them says, and what follows by itself. */
import { base, Branches, sale, units } from "./Branches.ts"
import type { Command } from "./Commands.ts"
import { contractAt, type Fact, openStops, type Time } from "./Facts.ts"
import * as Fleet from "./Fleet.ts"
import { correctionsOf } from "./Together.ts"

export class Model extends Branches {
  accept(command: Command): void {
    switch (command.does) {
      case "data":
        this.#data(command)
        break
      case "open":
        this.offers.push(this.offer(this.offers.length, command.day))
        break
      case "fork":
        this.#fork(this.branchOf(command.on)!)
        break
      case "invalidate":
        this.offers[this.branchOf(command.on)!]!.open = false
        break
      case "quote":
      case "reopen":
        this.stage(this.branchOf(command.on)!, "QUOTED")
        break
      case "confirm":
        this.stage(this.branchOf(command.on)!, "CONFIRMED")
        break
      case "sign":
        this.#sign(this.branchOf(command.on)!)
        break
      case "rebase":
        this.#rebase(this.branchOf(command.on)!)
        break
      case "revert":
        this.#revert(this.branchOf(command.on)!, command.change)
        break
      case "suspend":
      case "reactivate":
        this.add({ branch: base, kind: command.does, at: command.day ?? this.now })
        break
      case "stop":
        this.#stop(command.day ?? this.now)
        break
      case "withdraw":
        this.#withdraw()
        break
      case "reinstate":
        this.#reinstate(command.gap)
        break
      case "add":
      case "change":
      case "end":
      case "remove":
        this.#record(Fleet.saidOf(this, command))
        break
      case "join":
      case "leave":
        throw new Error("The model keeps people as data.")
      case "wait":
        this.#wait(command.days)
    }
    this.#start()
  }

  /** When what names no day takes effect. */
  usualDay(branch: number): Time {
    return branch === base ? this.now : this.offers[branch]!.at
  }

  #data({ day, key, on, value }: Extract<Command, { readonly does: "data" }>): void {
    const branch = this.branchOf(on)!
    const at = day ?? this.usualDay(branch)
    this.#record({ branch, at, said: [{ key, value }] })
  }

  #record({ at, branch, said }: ReturnType<typeof Fleet.saidOf>): void {
    this.moving(branch, () => {
      const change = this.nextChange(branch)
      for (const { key, value } of said) {
        this.add({ branch, kind: "data", at, key, value, change })
      }
    })
  }

  #fork(from: number): void {
    const original = this.offers[from]!
    const fork = {
      ...this.offer(this.offers.length, original.at),
      forks: [original.forks.at(-1)!]
    }
    this.offers.push(fork)
    const changes = new Map<number | undefined, number>()
    for (const fact of this.own(from)) {
      const change = changes.get(fact.change) ?? fork.changes++
      changes.set(fact.change, change)
      this.add({ ...fact, branch: fork.id, change })
    }
  }

  #sign(branch: number): void {
    if (branch !== sale) return this.#merge(branch)
    for (const { at, kind, key, value } of this.own(sale)) {
      this.add({ branch: base, at, kind, key: key!, value })
    }
    this.offers[sale]!.open = false
    this.signedAt = this.now
    this.add({ branch: base, kind: "sign", at: Math.min(this.now, this.starts) })
    return undefined
  }

  #merge(branch: number): void {
    if (this.isBlurred(branch)) {
      this.over = "an offer was merged across a stop"
      return
    }
    const offer = this.offers[branch]!
    const corrections = correctionsOf(this, { branch, base, upTo: offer.forks.at(-1)!.upTo, units })
    const own = [...this.own(branch), ...corrections]
    for (const mark of this.undone.filter((mark) => mark.branch === branch)) {
      const ofTrunk = mark.facts.filter((fact) => fact.branch === base)
      if (ofTrunk.length > 0) this.undo(base, ofTrunk)
    }
    // What was chosen with its quote is a change, too, though it says nothing new.
    const instants = [...new Set([offer.at, ...own.map(({ at }) => at)])].sort((a, b) => a - b)
    for (const at of instants) {
      const change = this.nextChange(base)
      for (const { key, value } of own.filter((fact) => fact.at === at)) {
        this.add({ branch: base, kind: "data", at, key: key!, value, change })
      }
    }
    offer.open = false
  }

  #rebase(branch: number): void {
    if (this.isBlurred(branch)) {
      this.over = "an offer was rebased across a stop"
      return
    }
    const offer = this.offers[branch]!
    const corrections = correctionsOf(this, { branch, base, upTo: offer.forks.at(-1)!.upTo, units })
    offer.forks.push(this.forkNow())
    for (const [, together] of Map.groupBy(corrections, ({ at }) => at)) {
      const change = this.nextChange(branch)
      for (const { at, key, value } of together) {
        this.add({ branch, kind: "data", at, key, value, change })
      }
    }
    this.stage(branch, "UNKNOWN")
  }

  #revert(branch: number, change: number): void {
    this.moving(branch, () => this.undo(branch, this.ofChange(branch, change)))
  }

  #stop(at: Time): void {
    if (this.signedAt === undefined) {
      this.over = "the sale was withdrawn"
      return
    }
    if (at > this.now) this.add({ branch: base, kind: "announce", at: this.now })
    this.add({ branch: base, kind: "stop", at })
    for (const offer of this.offers) if (offer.at >= at) offer.open = false
  }

  #withdraw(): void {
    const shown = this.facts.filter((fact) => this.shown(base).includes(fact))
    const stop = shown.findLast(({ at, kind }) => kind === "stop" && at > this.now)!
    const word = this.facts.filter(
      ({ kind, number }) => kind === "announce" && number === stop.number - 1
    )
    this.undo(base, [...word, stop])
  }

  #reinstate(gap: "COVERED" | "NOT_COVERED"): void {
    const before = this.shown(base)
    const stop = before.findLast(({ at, kind }) => kind === "stop" && at <= this.now)!
    const at = gap === "COVERED" ? stop.at : this.now
    const was = contractAt(before.slice(0, before.indexOf(stop)), stop.at)
    const value = was === "SIGNED" && this.starts > at ? "SIGNED" : "STARTED"
    this.add({ branch: base, kind: "reinstate", at, value, key: "" })
    const isAnnounced = openStops(this.shown(base)).length > 0
    const plain = this.facts.pop()!
    this.facts.push({ ...plain, key: isAnnounced ? "announced" : "" })
    for (let misfit = this.#misfit(); misfit !== undefined; misfit = this.#misfit()) {
      const { kind, number } = misfit
      const word = this.facts.filter(
        (fact) => kind === "stop" && fact.kind === "announce" && fact.number === number - 1
      )
      this.undo(base, [...word, misfit])
    }
  }

  /** The first step that the contract can't take where it stands. */
  #misfit(): Fact | undefined {
    const from: Readonly<Record<string, ReadonlyArray<string>>> = {
      start: ["SIGNED"],
      suspend: ["STARTED"],
      reactivate: ["SUSPENDED"],
      stop: ["SIGNED", "STARTED", "SUSPENDED"],
      reinstate: ["STOPPED"]
    }
    const shown = this.shown(base)
    return shown.find((fact, index) => {
      const contract = contractAt(shown.slice(0, index), Infinity)
      const places = from[fact.kind]
      return places !== undefined && contract !== undefined && !places.includes(contract)
    })
  }

  #wait(days: number): void {
    const end = this.now + days
    while (this.now < end) {
      this.now++
      this.#start()
    }
  }

  /** A contract begins by itself on its day. */
  #start(): void {
    if (this.signedAt === undefined) return
    const shown = this.shown(base)
    const since = shown.findLast(
      ({ kind, value }) => kind === "sign" || (kind === "reinstate" && value === "SIGNED")
    )
    const at = Math.max(this.starts, since?.at ?? this.starts)
    if (at <= this.now && contractAt(shown, at) === "SIGNED") {
      this.add({ branch: base, kind: "start", at })
    }
  }
}
