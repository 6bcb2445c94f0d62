internal import Modeling

/// A command of the command line with its options, as ArgumentParser dumps them in JSON.
struct CommandDefinition {
  /// The possible values of an option or an argument.
  enum Value {
    /// Nothing that a shell could offer.
    case any
    case files(endings: [String])
    case folders
    case words([String])
  }

  struct Argument {
    /// As they are typed, with their dashes; empty for an argument without a name.
    var names: [String]
    var summary: String
    /// The value's name in help.
    var valueName: String
    /// Nil for a flag.
    var value: Value?
    var isRepeating: Bool
  }

  var name: String
  var summary: String
  var discussion: String
  /// Those with names.
  var options: [Argument] = []
  /// Those without.
  var operands: [Argument] = []
  var commands: [CommandDefinition] = []

  /// Reads the definitions of the program; nil if `dump` is none.
  init?(dump: String) {
    guard let command = (try? JSON.parse(dump))?["command"] else { return nil }
    self.init(command)
  }

  private init(_ command: JSON) {
    name = command["commandName"]?.string ?? ""
    summary = command["abstract"]?.string ?? ""
    discussion = command["discussion"]?.string ?? ""
    for argument in (command["arguments"]?.elements ?? []).map(Argument.init) {
      if argument.names.isEmpty { operands.append(argument) } else { options.append(argument) }
    }
    commands = (command["subcommands"]?.elements ?? []).map(CommandDefinition.init)
  }
}

extension CommandDefinition.Argument {
  fileprivate init(_ argument: JSON) {
    names = (argument["names"]?.elements ?? []).compactMap { name in
      name["name"]?.string.map { (name["kind"]?.string == "short" ? "-" : "--") + $0 }
    }
    summary = argument["abstract"]?.string ?? ""
    valueName = argument["valueName"]?.string ?? ""
    isRepeating = if case .bool(true)? = argument["isRepeating"] { true } else { false }
    value = argument["kind"]?.string == "flag" ? nil : CommandDefinition.Value(argument["completionKind"])
  }
}

extension CommandDefinition.Value {
  fileprivate init(_ kind: JSON?) {
    func texts(_ list: JSON?) -> [String] { list?.elements.compactMap(\.string) ?? [] }
    if let words = kind?["list"] {
      self = .words(texts(words["values"]))
    } else if let files = kind?["file"] {
      self = .files(endings: texts(files["extensions"]))
    } else {
      self = kind?["directory"] == nil ? .any : .folders
    }
  }
}

extension JSON {
  fileprivate subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  fileprivate var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  fileprivate var elements: [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }
}
