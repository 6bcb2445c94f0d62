package import Modeling

/// What a client asks of a console.
package enum ClientRequest: Equatable, Sendable {
  /// The first message: who the client is, and how texts are laid out for it.
  case hello(Hello)
  /// Runs a block as it would be typed.
  case evaluate(id: Int64, String)
  /// The candidates at a byte of a block.
  case complete(id: Int64, String, offset: Int)
  /// Whether a block can run as it is.
  case isComplete(id: Int64, String)
  /// The parameters of the call that a block ends in the beginning of.
  case arguments(id: Int64, String)
  /// The colours of a block while the cursor is at a byte.
  case colours(id: Int64, String, offset: Int)
  /// Saves the unsaved changes.
  case save(id: Int64)
  /// Stops what runs.
  case interrupt
  /// The window has another size.
  case resize(width: Int, height: Int?)
  /// What is typed on a full screen, in bytes as a terminal sends them.
  case keys([UInt8])
  /// The answer to a question.
  case answer(Bool)
  /// The client does not come back.
  case leave

  package struct Hello: Equatable, Sendable {
    package var version: Int64
    /// Whether a person types at a prompt.
    package var isInteractive = false
    /// Whether results go to a terminal.
    package var isTerminal = false
    package var width: Int?
    package var height: Int?
    /// Whether the terminal can show a full screen.
    package var showsScreens = false
    package var hasColours = false
    package var hasMessageColours = false
    package var isASCII = false
    package var mode: String?
    /// The tokens of the sessions that the client would go on with, the first that waits.
    package var tokens: [String] = []
    /// Why the person attaches, where the console asks.
    package var reason: String?

    package init(version: Int64 = RemoteConsole.version) { self.version = version }
  }
}

/// The protocol between a console and its clients.
package enum RemoteConsole {
  package static let version: Int64 = 1
}

extension ClientRequest {
  /// Reads a message; nil for one that is none of these.
  package init?(_ message: JSON) {
    guard case .object(let members) = message, case .string(let word)? = members["do"] else { return nil }
    let fields = Fields(members)
    switch (word, fields.integer("id"), fields.text("text")) {
    case ("hello", _, _): self = .hello(Hello(fields))
    case ("evaluate", let id?, let text?): self = .evaluate(id: id, text)
    case ("complete", let id?, let text?): self = .complete(id: id, text, offset: fields.offset(in: text))
    case ("isComplete", let id?, let text?): self = .isComplete(id: id, text)
    case ("arguments", let id?, let text?): self = .arguments(id: id, text)
    case ("colours", let id?, let text?): self = .colours(id: id, text, offset: fields.offset(in: text))
    case ("save", let id?, _): self = .save(id: id)
    case ("interrupt", _, _): self = .interrupt
    case ("resize", _, _): self = .resize(width: fields.width ?? 80, height: fields.height)
    case ("keys", _, _): self = .keys(fields.bytes("bytes"))
    case ("answer", _, _): self = .answer(fields.flag("yes"))
    case ("leave", _, _): self = .leave
    default: return nil
    }
  }

  /// The message.
  package var message: JSON {
    switch self {
    case .hello(let hello): .object(hello.members.merging(["do": .string("hello")]) { $1 })
    case .evaluate(let id, let text): Self.message("evaluate", id, ["text": .string(text)])
    case .complete(let id, let text, let offset):
      Self.message("complete", id, ["text": .string(text), "offset": .int(Int64(offset))])
    case .isComplete(let id, let text): Self.message("isComplete", id, ["text": .string(text)])
    case .arguments(let id, let text): Self.message("arguments", id, ["text": .string(text)])
    case .colours(let id, let text, let offset):
      Self.message("colours", id, ["text": .string(text), "offset": .int(Int64(offset))])
    case .save(let id): Self.message("save", id, [:])
    case .interrupt: .object(["do": .string("interrupt")])
    case .resize(let width, let height):
      .object(
        ["do": .string("resize"), "width": .int(Int64(width)), "height": height.map { .int(Int64($0)) } ?? .null])
    case .keys(let bytes): .object(["do": .string("keys"), "bytes": .bytes(bytes)])
    case .answer(let yes): .object(["do": .string("answer"), "yes": .bool(yes)])
    case .leave: .object(["do": .string("leave")])
    }
  }

  private static func message(_ word: String, _ id: Int64, _ members: [String: JSON]) -> JSON {
    .object(members.merging(["do": .string(word), "id": .int(id)]) { $1 })
  }
}

extension ClientRequest.Hello {
  fileprivate init(_ fields: Fields) {
    self.init(version: fields.integer("version") ?? 0)
    (isInteractive, isTerminal) = (fields.flag("interactive"), fields.flag("terminal"))
    (hasColours, hasMessageColours) = (fields.flag("colours"), fields.flag("messageColours"))
    (isASCII, width, mode) = (fields.flag("ascii"), fields.width, fields.text("mode"))
    (height, showsScreens) = (fields.height, fields.flag("screens"))
    reason = fields.text("reason")
    tokens = fields.list("tokens").compactMap { if case .string(let token) = $0 { token } else { nil } }
  }

  fileprivate var members: [String: JSON] {
    var members: [String: JSON] = [
      "version": .int(version), "interactive": .bool(isInteractive), "terminal": .bool(isTerminal),
      "colours": .bool(hasColours), "messageColours": .bool(hasMessageColours), "ascii": .bool(isASCII),
      "screens": .bool(showsScreens),
    ]
    members["width"] = width.map { .int(Int64($0)) }
    members["height"] = height.map { .int(Int64($0)) }
    members["mode"] = mode.map(JSON.string)
    members["reason"] = reason.map(JSON.string)
    if !tokens.isEmpty { members["tokens"] = .array(tokens.map(JSON.string)) }
    return members
  }
}
