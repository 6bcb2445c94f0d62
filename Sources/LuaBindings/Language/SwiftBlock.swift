internal import SwiftInterchange

/// Swift source that was entered in place of Lua, for example copied from an app.
///
///     #Predicate<Quake> { $0.magnitude > 5 }        Predicate [[#Predicate<Quake> { $0.magnitude > 5 }]]
///     @Query(sort: \.time) var quakes: [Quake]      FetchRequest [[@Query(sort: \.time) var quakes: [Quake] ]]
///     @Model final class Quake { ... }              Model [[@Model final class Quake { ... }]]
public struct SwiftBlock: Equatable, Sendable {
  private let text: String
  private let opening: SwiftOpening

  /// Recognizes a text that begins as Swift source and not as Lua.
  public init?(_ text: String) {
    let start = text.drop(while: \.isWhitespace)
    guard let first = start.first, "#@[NF".contains(first) || start.hasPrefix("import "),
      let opening = SwiftOpening(of: text)
    else { return nil }
    self.text = text
    self.opening = opening
  }

  /// Whether its brackets are closed, so that no more lines are needed.
  public var isComplete: Bool { SwiftOpening.isComplete(text) }

  /// The Lua expression that reads it; the source begins on the second line.
  public var lua: String {
    var level = ""
    while text.contains("]\(level)]") { level += "=" }
    let function =
      switch opening {
      case .predicate: "Predicate"
      case .expression: "Expression"
      case .request: "FetchRequest"
      case .model: "Model"
      }
    // A bracket at the end of the text would otherwise pair with the first closing bracket.
    return "\(function) [\(level)[\n\(text)\n]\(level)]"
  }
}
