internal import LuaBindings
internal import Modeling

// What the tools share.
extension AgentServer {
  /// The parameters of all tools.
  var common: [ToolParameter] {
    let characters = ToolParameter(
      "characters", .integer(1_000...1_000_000), "The most of the answer; 20,000 by default")
    guard stores.count > 1 else { return [characters] }
    return [ToolParameter("store", .choice(stores.map(\.name)), "\(stores[0].name) by default"), characters]
  }

  static var swiftForms: [String] { Engine.swiftForms }

  /// The most characters of an answer.
  static func characters(_ arguments: ToolArguments) -> Int {
    arguments.integer("characters") ?? ServerLimits.characters
  }

  /// The most characters of the rows in an answer: beside them stand the total and the call for the next page.
  static func charactersOfRows(_ arguments: ToolArguments) -> Int {
    max(200, characters(arguments) - 300 - JSON.object(arguments.values).text.count)
  }

  /// The store that a call is about.
  func store(of arguments: ToolArguments) -> ServedStore {
    let name = arguments.text("store")
    return stores.first { $0.name == name } ?? stores[0]
  }

  /// The session in which a reading tool answers.
  func session(of arguments: ToolArguments) throws(ToolFailure) -> ToolSession {
    let session = try store(of: arguments).readingSession()
    attend(to: session)
    return session
  }
}
