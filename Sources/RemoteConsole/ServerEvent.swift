package import Modeling

/// What a console sends to a client.
package enum ServerEvent: Equatable, Sendable {
  /// The answer to `hello`.
  case welcome(Welcome)
  /// The console asks why the person attaches: another `hello` says it.
  case reasonAsked
  /// The reason why the console ends the connection.
  case refused(String)
  /// Text of what runs; of results, or of messages beside them.
  case text(String, isMessage: Bool)
  /// A question to the person, which `answer` answers.
  case question(String)
  /// A request has ended: its status, and the prompt and the number of unsaved changes now.
  case end(id: Int64, Ending)
  /// A full screen as it is now. The first one begins it.
  case screen(ScreenContent)
  /// The full screen is over. The bytes are those of keys that it has not taken.
  case screenEnd([UInt8])
  /// The answer to a request for candidates, completeness, parameters, colours.
  case reply(id: Int64, JSON)

  package struct Welcome: Equatable, Sendable {
    /// The program, its store and what the client may do.
    package var banner: String
    package var prompt: String
    package var unsavedCount = 0
    /// With what the client comes back after a lost connection; nil where the session ends with the connection.
    package var token: String?

    package init(banner: String, prompt: String) { (self.banner, self.prompt) = (banner, prompt) }
  }

  package struct Ending: Equatable, Sendable {
    package var status: Int32
    package var prompt: String
    package var unsavedCount: Int
    /// The rows that were shown; nil for none.
    package var rowCount: Int?
    /// Whether the line has called `os.exit`.
    package var hasExited = false

    package init(status: Int32, prompt: String, unsavedCount: Int) {
      (self.status, self.prompt, self.unsavedCount) = (status, prompt, unsavedCount)
    }
  }
}

extension ServerEvent {
  /// Reads a message; nil for one that is none of these.
  package init?(_ message: JSON) {
    guard case .object(let members) = message, case .string(let word)? = members["event"] else { return nil }
    let fields = Fields(members)
    switch (word, fields.integer("id"), fields.text("text")) {
    case ("welcome", _, let text?):
      var welcome = Welcome(banner: text, prompt: fields.text("prompt") ?? "")
      welcome.unsavedCount = Int(clamping: fields.integer("unsaved") ?? 0)
      welcome.token = fields.text("token")
      self = .welcome(welcome)
    case ("reasonAsked", _, _): self = .reasonAsked
    case ("refused", _, let text?): self = .refused(text)
    case ("text", _, let text?): self = .text(text, isMessage: fields.flag("message"))
    case ("question", _, let text?): self = .question(text)
    case ("screen", _, _): self = .screen(ScreenContent(fields))
    case ("screenEnd", _, _): self = .screenEnd(fields.bytes("unread"))
    case ("end", let id?, _): self = .end(id: id, Ending(fields))
    case ("reply", let id?, _): self = .reply(id: id, members["value"] ?? .null)
    default: return nil
    }
  }

  /// The message.
  package var message: JSON {
    var members: [String: JSON]
    switch self {
    case .welcome(let welcome):
      members = [
        "event": .string("welcome"), "text": .string(welcome.banner), "prompt": .string(welcome.prompt),
        "unsaved": .int(Int64(welcome.unsavedCount)),
      ]
      members["token"] = welcome.token.map(JSON.string)
    case .reasonAsked: members = ["event": .string("reasonAsked")]
    case .refused(let reason): members = ["event": .string("refused"), "text": .string(reason)]
    case .text(let text, let isMessage):
      members = ["event": .string("text"), "text": .string(text), "message": .bool(isMessage)]
    case .question(let text): members = ["event": .string("question"), "text": .string(text)]
    case .end(let id, let ending):
      members = ending.members
      (members["event"], members["id"]) = (.string("end"), .int(id))
    case .screen(let content):
      members = content.members
      members["event"] = .string("screen")
    case .screenEnd(let unread): members = ["event": .string("screenEnd"), "unread": .bytes(unread)]
    case .reply(let id, let value): members = ["event": .string("reply"), "id": .int(id), "value": value]
    }
    return .object(members)
  }
}

extension ServerEvent.Ending {
  fileprivate init(_ fields: Fields) {
    self.init(
      status: Int32(clamping: fields.integer("status") ?? 1), prompt: fields.text("prompt") ?? "",
      unsavedCount: Int(clamping: fields.integer("unsaved") ?? 0))
    rowCount = fields.integer("rows").map { Int(clamping: $0) }
    hasExited = fields.flag("exited")
  }

  fileprivate var members: [String: JSON] {
    var members: [String: JSON] = [
      "status": .int(Int64(status)), "prompt": .string(prompt), "unsaved": .int(Int64(unsavedCount)),
      "exited": .bool(hasExited),
    ]
    members["rows"] = rowCount.map { .int(Int64($0)) }
    return members
  }
}
