/// The colours of output: sixteen, so that they follow the terminal's own theme, or none.
package struct Style: Equatable, Sendable {
  /// The role of a piece of text. To add one, give it a code below.
  package enum Role: String, Sendable {
    case header, frame, missing, reference, note
    case string, number, keyword, name
    case error, warning, caret, suggestion
    case added, changed, removed
    case prompt
    case mistake, selection
    case placeholder, unknown
    case bracket, counterpart
  }

  package var isEnabled: Bool

  package init(enabled: Bool) {
    isEnabled = enabled
  }

  /// The style for a stream, from `--color` and the environment.
  package static func detect(when: ColorWhen, isTerminal: Bool, environment: [String: String]) -> Style {
    switch when {
    case .always: return Style(enabled: true)
    case .never: return Style(enabled: false)
    case .auto:
      let refuses = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
      return Style(enabled: isTerminal && !refuses)
    }
  }

  package func callAsFunction(_ role: Role?, _ text: String) -> String {
    guard isEnabled, let role, !text.isEmpty else { return text }
    return Self.beginning(role) + text + Self.end
  }

  /// The bytes that begin a colour, and those that end each.
  package static func beginning(_ role: Role) -> String { "\u{1B}[\(code(role))m" }
  package static let end = "\u{1B}[0m"

  private static func code(_ role: Role) -> String {
    switch role {
    case .header, .prompt: "1"
    case .frame, .missing, .note: "2"
    case .reference, .name: "36"
    case .string, .added: "32"
    case .number: "33"
    case .keyword: "35"
    case .error: "1;31"
    case .warning: "1;33"
    case .caret, .suggestion: "1;32"
    case .changed: "33"
    case .removed: "31"
    case .mistake: "4;31"
    case .selection: "7"
    case .placeholder: "94"
    case .unknown: "4"
    case .bracket: "1"
    case .counterpart: "1;7"
    }
  }
}

/// The argument of `--color`.
package enum ColorWhen: String, CaseIterable, Sendable {
  case auto, always, never
}
