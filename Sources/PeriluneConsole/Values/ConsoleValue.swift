public import LuaBindings
internal import Modeling

/// A type of values that scripts and functions of a program pass to each other.
///
/// A `Codable` type needs only the conformance: it is a table. The same is true of a class that `Console.type` describes, which
/// conforms to `ConsoleObject`.
///
///     struct Job: Codable, ConsoleValue { var name: String; var priority: Int }
public protocol ConsoleValue: SendableMetatype {
  /// The noun for a value in messages: `string`.
  static var consoleNoun: String { get }
  /// Reads a value of a script.
  ///
  /// - Throws: an error that says what was expected, for a value of another type.
  static func consoleValue(_ value: HostValue) throws -> Self
  /// The value as scripts see it.
  func hostValue() throws -> HostValue
}

/// A value of a script that is not of the type that a function takes.
struct ConsoleMismatch: Error {
  /// Where it is within an argument: `names[2]`.
  var place = ""
  var expected: String
  var found: String

  /// The mismatch of a value with a type.
  static func of(_ value: HostValue, _ type: any ConsoleValue.Type) -> ConsoleMismatch {
    ConsoleMismatch(expected: article(type.consoleNoun), found: value.shown)
  }

  /// The same within a place.
  func within(_ place: String) -> ConsoleMismatch {
    var mismatch = self
    mismatch.place = place + self.place
    return mismatch
  }

  /// `names[2]: expected a string, got 5`
  var sentence: String { (place.isEmpty ? "" : "\(place): ") + "expected \(expected), got \(found)" }
}

/// A noun with its article.
func article(_ noun: String) -> String {
  "\(noun.first.map { "aeioAEIO".contains($0) } == true ? "an" : "a") \(noun)"
}

extension HostValue {
  /// The value in messages: short ones themselves, others by their kind.
  var shown: String {
    switch self {
    case .value(.bool(let flag)): "\(flag)"
    case .value(.int(let number)): "\(number)"
    case .value(.double(let number)): "\(number)"
    case .value(.string(let text)) where text.count <= 40: "\"\(text)\""
    default: kindName
    }
  }
}
