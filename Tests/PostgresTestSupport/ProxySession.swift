import Foundation
import Glibc
import Postgres
import Synchronization

/// A connection through the proxy: a thread for each direction, so that neither side waits for the other to read.
final class ProxySession: Sendable {
  private let client: Int32
  private let server: Int32
  private unowned let proxy: StrictProxy
  private let profile: ServerProfile
  private let state = Mutex(State())

  private struct State {
    /// What the refusals that are under way say, by the number in their marks.
    var refusals: [Int: ProxyError] = [:]
    var count = 0
    /// What each Parse that was sent is: true for one of the proxy's own, whose answer is dropped.
    var parses: [Bool] = []
    /// Something was made to go wrong with what is being answered.
    var hasFault = false
    /// A COMMIT was made a ROLLBACK, and fails.
    var failsCommit = false
    /// Nothing that comes before the end of the answer is passed on.
    var isSkipping = false
    /// The session is being made new, as pools do between transactions.
    var isDiscarding = false
    /// The connection ends before the end of the answer is passed on.
    var cutsAtEnd = false
    /// How many of the two threads run.
    var running = 2
  }

  init(client: Int32, server: Int32, _ proxy: StrictProxy) {
    (self.client, self.server, self.proxy) = (client, server, proxy)
    profile = proxy.profile
  }

  /// Runs both directions until one side ends.
  func start() {
    Thread { self.forward() }.start()
    Thread { self.answer() }.start()
  }

  /// Ends both sides.
  func cut() {
    state.withLock { state in
      // Once the descriptors are closed, their numbers may be used again.
      guard state.running > 0 else { return }
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }
  }

  private func leave() {
    cut()
    state.withLock { state in
      state.running -= 1
      guard state.running == 0 else { return }
      close(client)
      close(server)
    }
  }

  /// The number of the session that a pool tells.
  private func masked(_ process: UInt32) -> UInt32 { profile.isPooled ? process ^ 0x0100_0000 : process }
}

// MARK: From the client to the server

extension ProxySession {
  private static let cancelRequest: UInt32 = 80_877_102

  private func forward() {
    defer { leave() }
    guard passStart(), let rules = try? ProxyRule.rules(for: profile) else { return }
    var texts: [String: String] = [:]
    while let message = WireMessage(from: client) {
      switch message.kind {
      case "Q":
        let sql = message.texts(1).texts[0]
        guard let changed = changed(sql, rules, isExecution: true) else { return }
        guard UnixSocket.write(server, message.with([changed]).bytes) else { return }
      case "P":
        let names = message.texts(2).texts
        texts[names[0]] = names[1]
        guard let changed = changed(names[1], rules, isExecution: false) else { return }
        state.withLock { $0.parses.append(false) }
        guard UnixSocket.write(server, message.with([names[0], changed]).bytes) else { return }
      case "B":
        guard let bytes = bound(message, texts) else { return }
        guard UnixSocket.write(server, bytes) else { return }
      default: guard UnixSocket.write(server, message.bytes) else { return }
      }
    }
  }

  /// Passes the first message on; false where it was a request to cancel, after which there is nothing.
  private func passStart() -> Bool {
    guard let head = UnixSocket.read(client, 4) else { return false }
    let length = Int(WireMessage.number(head))
    guard length >= 8, length < 1 << 16, var body = UnixSocket.read(client, length - 4) else { return false }
    if WireMessage.number(body) == Self.cancelRequest, body.count >= 12 {
      body.replaceSubrange(4..<8, with: WireMessage.bytes(masked(WireMessage.number(body[4...]))))
      UnixSocket.write(server, head + body)
      // The server closes the connection once it has cancelled.
      _ = UnixSocket.read(server, 1)
      return false
    }
    return UnixSocket.write(server, head + body)
  }

  /// What the server gets for a statement; nil where the connection ends instead.
  private func changed(_ sql: String, _ rules: [ProxyRule], isExecution: Bool) -> String? {
    let bare = ProxyRule.withoutQuotations(sql)
    if let rule = rules.first(where: { $0.applies(to: bare) }) {
      proxy.countRefusal()
      return mark(rule.error)
    }
    if isExecution {
      switch fault(of: bare) {
      case .serializationFailure where Self.isCommit(bare):
        state.withLock { $0.failsCommit = true }
        return "ROLLBACK"
      case .serializationFailure: return mark(.serialization)
      case .termination, .cutBefore: return nil
      case .cutAfter, nil: break
      }
    }
    return ProxyRule.disguised(sql, as: profile)
  }

  /// What the server gets for an execution of a statement that it has parsed; nil where the connection ends instead.
  private func bound(_ message: WireMessage, _ texts: [String: String]) -> [UInt8]? {
    let names = message.texts(2).texts
    let bare = ProxyRule.withoutQuotations(texts[names[1]] ?? "")
    switch fault(of: bare) {
    case .serializationFailure where Self.isCommit(bare):
      state.withLock { state in
        state.failsCommit = true
        state.parses.append(true)
      }
      return WireMessage("P", Array("\0ROLLBACK\0\0\0".utf8)).bytes + message.with([names[0], ""]).bytes
    case .serializationFailure: return message.with([names[0], mark(.serialization)]).bytes
    case .termination, .cutBefore: return nil
    case .cutAfter, nil: return message.bytes
    }
  }

  private func fault(of bare: String) -> StrictProxy.Fault? {
    // Between two ends of answers one thing goes wrong.
    if state.withLock({ $0.hasFault }) { return nil }
    // A statement that begins or ends a transaction conflicts with no other, except for a commit.
    let fault = proxy.draw(
      bare.wholeMatch(of: /(?is)\s*(BEGIN|START|ROLLBACK|ABORT|DEALLOCATE|DISCARD|SET|SHOW)\b.*/) != nil,
      isCommit: Self.isCommit(bare))
    if fault == .termination { UnixSocket.write(client, WireMessage(error: .termination).bytes) }
    state.withLock { state in
      if fault != nil { state.hasFault = true }
      if fault == .cutAfter { state.cutsAtEnd = true }
    }
    return fault
  }

  private static func isCommit(_ bare: String) -> Bool { bare.wholeMatch(of: /(?i)\s*(COMMIT|END)\s*;?\s*/) != nil }

  /// A statement, or the name of one, that the server refuses with a message by which the refusal is known again.
  private func mark(_ error: ProxyError) -> String {
    state.withLock { state in
      state.count += 1
      state.refusals[state.count] = error
      return "perilune_refused_\(state.count)"
    }
  }
}

// MARK: From the server to the client

extension ProxySession {
  private func answer() {
    defer { leave() }
    while let message = WireMessage(from: server) {
      guard let passed = passed(message) else { return }
      for message in passed {
        guard UnixSocket.write(client, message.bytes) else { return }
      }
    }
  }

  /// What the client gets for a message of the server; nil where the connection ends instead.
  private func passed(_ message: WireMessage) -> [WireMessage]? {
    if message.kind == "Z" { return end(message) }
    return state.withLock { state in
      if state.isDiscarding || state.isSkipping { return [] }
      switch message.kind {
      case "1":
        return !state.parses.isEmpty && state.parses.removeFirst() ? [] : [message]
      case "K" where message.body.count >= 4:
        var changed = message
        changed.body.replaceSubrange(0..<4, with: WireMessage.bytes(masked(WireMessage.number(message.body))))
        return [changed]
      case "C" where state.failsCommit && message.texts(1).texts == ["ROLLBACK"]:
        (state.failsCommit, state.isSkipping) = (false, true)
        return [WireMessage(error: .serialization)]
      case "E":
        let text = String(decoding: message.body, as: UTF8.self)
        guard let number = text.firstMatch(of: /perilune_refused_(\d+)/).flatMap({ Int($0.1) }),
          let error = state.refusals.removeValue(forKey: number)
        else { return [message] }
        return [WireMessage(error: error)]
      case "D", "d":
        var changed = message
        changed.body = proxy.corrupted(message.body)
        return [changed]
      default: return [message]
      }
    }
  }

  /// What the client gets at the end of an answer.
  private func end(_ message: WireMessage) -> [WireMessage]? {
    let (cuts, discards) = state.withLock { state in
      (state.failsCommit, state.isSkipping, state.hasFault) = (false, false, false)
      state.parses = []
      state.refusals = [:]
      let isIdle = message.body.first == UInt8(ascii: "I")
      let discards = profile.isPooled && isIdle && !state.isDiscarding
      state.isDiscarding = discards
      return (state.cutsAtEnd, discards)
    }
    if cuts { return nil }
    guard discards else { return [message] }
    // The client waits for the end of the answer, so that nothing else is under way.
    return UnixSocket.write(server, WireMessage("Q", Array("DISCARD ALL\0".utf8)).bytes) ? [] : nil
  }
}
