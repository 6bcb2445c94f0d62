internal import Modeling
internal import Presentation
internal import RemoteConsole
internal import Session

extension Layout {
  /// The layout for a client that says what it shows.
  init(_ hello: ClientRequest.Hello) {
    self.init()
    (width, isTerminal) = (hello.width, hello.isTerminal)
    charset = hello.isASCII ? .ascii : .utf8
    style = Style(enabled: hello.hasColours)
    messageStyle = Style(enabled: hello.hasMessageColours)
  }
}

extension Completions {
  /// The most candidates of a message.
  private static let mostSent = 500

  /// The message with the candidates.
  var json: JSON {
    var members: [String: JSON] = [
      "start": .int(Int64(start)),
      "candidates": .array(
        candidates.prefix(Self.mostSent).map { .array([.string($0.text), .string($0.remark)]) }),
      "whole": .bool(isWhole && candidates.count <= Self.mostSent),
    ]
    members["append"] = appendCharacter.map { .string(String($0)) }
    return .object(members)
  }
}

extension Remark {
  /// The remark for a person; a text may hold names from files, whose control characters are made visible.
  func text(_ layout: Layout, isAtPrompt: Bool) -> String {
    let shown = DisplayText.picturingControls(in: text, layout.charset, keepingLines: true)
    let style = layout.messageStyle
    switch kind {
    case .note: return layout.wrapped(style(.note, heading) + shown) + "\n"
    case .outcome, .slow, .entity, .statement: return layout.wrapped(style(.note, shown)) + "\n"
    case .stopped: return (isAtPrompt ? "" : "perilune: ") + shown + "\n"
    case .warning: return "warning: " + shown + "\n"
    case .done, .line: return shown + "\n"
    case .report: return shown
    }
  }
}
