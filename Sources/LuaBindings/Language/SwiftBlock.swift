internal import SwiftInterchange

/// Swift source that was entered where Lua is expected, as it is copied from an app.
///
///     #Predicate<Quake> { $0.magnitude > 5 }        Predicate [[#Predicate<Quake> { $0.magnitude > 5 }]]
///     @Query(sort: \.time) var quakes: [Quake]      FetchRequest [[@Query(sort: \.time) var quakes: [Quake] ]]
///     @Model final class Quake { ... }              Model [[@Model final class Quake { ... }]]
public struct SwiftBlock: Equatable, Sendable {
  private let text: String
  private let opening: SwiftOpening

  /// Takes a text that begins as Swift does and Lua does not.
  public init?(_ text: String) {
    let start = text.drop(while: \.isWhitespace)
    guard let first = start.first, "#@[NF".contains(first) || start.hasPrefix("import "),
      let opening = SwiftOpening(of: text)
    else { return nil }
    self.text = text
    self.opening = opening
  }

  /// Whether its brackets are closed, so that no more lines are wanted.
  public var isComplete: Bool { SwiftOpening.isComplete(text) }

  /// The Lua that reads it; it begins in the second line.
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
    // A bracket at the end of the text would close with the first of the two.
    return "\(function) [\(level)[\n\(text)\n]\(level)]"
  }
}
