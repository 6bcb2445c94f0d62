internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Session

/// `perilune watch`: watches the first list of the view in a Swift file, or its first request.
package struct WatchRun: ProgramRun {
  package var options: RunOptions
  private let store: StoreAccess
  private let path: String
  /// The values of the parameters of the view's request.
  private let values: [(name: String, value: String)]

  package init(
    _ path: String, _ values: [(name: String, value: String)], _ store: StoreAccess, _ options: RunOptions
  ) {
    (self.path, self.values, self.store, self.options) = (path, values, store, options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    withStore(store, surroundings) { $0.finish(watch(in: $0)) }
  }

  private func watch(in session: EngineSession) -> Int32 {
    let surroundings = session.surroundings
    let text: String
    do { text = String(decoding: try readFile(path), as: UTF8.self) } catch {
      return surroundings.fail(error.sentence, ExitStatus.inputOutput)
    }
    let pasted = PastedSwift(SwiftBlock(source: text), in: session.engine)
    guard let lua = pasted.lua, let name = pasted.lists.first ?? pasted.shown ?? pasted.requestName else {
      return surroundings.fail("\(path) has no list of a request: @FetchRequest, @SectionedFetchRequest or @Query", 1)
    }
    session.sources.add(text, chunk: "@" + path)
    let known = pasted.parameters.map(\.name)
    if let surplus = values.first(where: { !known.contains($0.name) }) {
      let hint = nearestName(to: surplus.name, in: known).map { "; did you mean '\($0)'?" } ?? ""
      return surroundings.fail("the view's request has no '\(surplus.name)'\(hint)", ExitStatus.failed)
    }
    let missing = pasted.parameters.filter { parameter in !values.contains { $0.name == parameter.name } }
    if pasted.needsValues, !missing.isEmpty {
      let options = missing.map { "--param \($0.name)=\($0.type ?? "VALUE")" }.joined(separator: " ")
      return surroundings.fail("the view's request needs values: \(options)", ExitStatus.failed)
    }
    if !options.isQuiet {
      for note in pasted.notes where note.hasPrefix("left out") {
        surroundings.say(surroundings.wrapped(surroundings.messageStyle(.note, "note: ") + note) + "\n")
      }
    }
    // The chunk ends by returning its request.
    var lines = ["(function() \(lua)", "end)()"]
    if pasted.needsValues {
      let bound = pasted.parameters.map { parameter in
        let value = values.first { $0.name == parameter.name }?.value ?? ""
        return "\(parameter.name) = \(Self.literal(value, parameter.type))"
      }
      lines.append("\(name) = \(name):bind { \(bound.joined(separator: ", ")) }:live()")
      lines += pasted.laterLines
    }
    let search = pasted.search.map { ", { search = function(text) \($0).value = text end }" } ?? ""
    lines.append("watch(\(name)\(search))")
    return session.run(lines.joined(separator: "\n"), chunk: "=view", firstLine: 1) { _ in }
  }

  /// A value of the command line as Lua, by the type that Swift gives it.
  private static func literal(_ text: String, _ type: String?) -> String {
    let quoted =
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    switch type?.filter({ $0 != "?" }) {
    case "Date": return "Date " + quoted
    case "UUID": return "UUID " + quoted
    case "Decimal", "NSDecimalNumber": return "Decimal " + quoted
    case "String": return quoted
    default:
      if Int64(text) != nil || Double(text)?.isFinite == true || ["true", "false"].contains(text) { return text }
      return quoted
    }
  }
}
