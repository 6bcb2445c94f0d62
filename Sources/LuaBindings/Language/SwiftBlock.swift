internal import LuaRuntime
internal import SwiftReading

/// Swift source that was entered in place of Lua, for example copied from an app.
///
///     #Predicate<Quake> { $0.magnitude > 5 }        Predicate [[#Predicate<Quake> { $0.magnitude > 5 }]]
///     @Query(sort: \.time) var quakes: [Quake]      FetchRequest [[@Query(sort: \.time) var quakes: [Quake] ]]
///     @Model final class Quake { ... }              Model [[@Model final class Quake { ... }]]
///
/// `PastedSwift` is what it means in a session.
public struct SwiftBlock: Equatable, Sendable {
  /// The source, with line breaks of one kind.
  public let text: String

  /// Recognizes a text that is Swift and not Lua.
  public init?(_ text: String) {
    guard SwiftInput.isSwift(text, lua: { Self.reading(text) }) else { return nil }
    self.text = text.replacing("\r\n", with: "\n")
  }

  /// Takes the text of a file of Swift.
  public init(source text: String) { self.text = text.replacing("\r\n", with: "\n") }

  /// Whether its brackets are closed, so that no more lines are needed.
  public var isComplete: Bool { SwiftOpening.isComplete(text) }

  /// The Lua expression that reads it; the source begins on the second line.
  public var lua: String {
    let function =
      switch SwiftOpening(of: text) {
      case .expression: "Expression"
      case .request: "FetchRequest"
      case .model: "Model"
      case .predicate, nil: "Predicate"
      }
    return Self.call(function, text)
  }

  /// The call of a function with source.
  static func call(_ function: String, _ source: String) -> String {
    var level = ""
    while source.contains("]\(level)]") { level += "=" }
    // A bracket at the end of the text would otherwise pair with the first closing bracket.
    return "\(function) [\(level)[\n\(source)\n]\(level)]"
  }

  /// The most memory that a text takes to compile.
  private static let memoryLimit = 64 << 20

  /// How Lua reads a text, as an expression or as statements.
  private static func reading(_ text: String) -> SwiftInput.LuaReading {
    guard let lua = try? LuaState(memoryLimit: memoryLimit) else { return .valid }
    defer { lua.close() }
    if (try? lua.load("return \(text)\n", name: "=check")) != nil { return .valid }
    do { try lua.load(text, name: "=check") } catch {
      return error.kind == .syntax(isIncomplete: true) ? .incomplete : .invalid
    }
    return .valid
  }
}
