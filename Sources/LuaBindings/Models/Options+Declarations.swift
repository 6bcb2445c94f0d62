internal import LuaRuntime
internal import Modeling

// Fields of model declarations that are not plain values.
extension Options {
  /// Conditions on a value: `{ "SELF != 'none'", { "SELF > 2", warning = "It is too small." } }`.
  func validationPredicates(_ name: String) throws -> [ValidationPredicate] {
    try list(name, "a list of predicates") { element in
      if let text = call.stack.string(at: element), call.stack.type(at: element) == .string {
        return ValidationPredicate(text)
      }
      let options = try table(at: element, name, allowed: ["warning"])
      guard let text = try call.stack.elements(at: element, { call.stack.string(at: $0) })?.first, let text else {
        throw expected("a predicate", name, element)
      }
      return ValidationPredicate(text, warning: try options.string("warning"))
    }
  }

  /// Indexes: `{ { "place", "time" }, { "time", name = "byTime", descending = { "time" } } }`.
  func indexes(_ name: String) throws -> [FetchIndex] {
    try list(name, "a list of lists of names") { element in
      guard call.stack.type(at: element) == .table else { throw expected("a list of lists of names", name, element) }
      let options = try table(at: element, name, allowed: ["name", "predicate", "descending", "rTree"])
      let names = try call.stack.elements(at: element) { call.stack.string(at: $0) ?? "" } ?? []
      guard !names.contains("") else { throw expected("a list of lists of names", name, element) }
      var index = FetchIndex(names)
      index.name = try options.string("name")
      index.predicate = try options.string("predicate")
      let (descending, trees) = (try options.strings("descending") ?? [], try options.strings("rTree") ?? [])
      for listed in descending + trees where !names.contains(listed) {
        throw ScriptError(
          "\(call.place): \(name)", .unknownMember(listed, of: "the index", nearest: nearest(listed, names)))
      }
      for position in index.elements.indices {
        index.elements[position].isAscending = !descending.contains(names[position])
        index.elements[position].isRTree = trees.contains(names[position])
      }
      return index
    }
  }

  /// Lists of names, by name: `{ Cloud = { "Quake", "Report" } }`.
  func listsByName(_ name: String) throws -> [String: [String]] {
    let lists = try with(name) { index -> [String: [String]] in
      guard call.stack.type(at: index) == .table else { throw expected("a table of lists of names", name, index) }
      var lists: [String: [String]] = [:]
      try call.stack.forEachPair(at: index) { stack in
        guard stack.type(at: -2) == .string, let key = stack.string(at: -2),
          let list = try stack.elements(at: stack.count, { stack.string(at: $0) ?? "" }), !list.contains("")
        else {
          throw expected("a table of lists of names", name, stack.count)
        }
        lists[key] = list
      }
      return lists
    }
    return lists ?? [:]
  }

  private func list<Element>(_ name: String, _ what: String, _ body: (Int32) throws -> Element) throws -> [Element] {
    let elements = try with(name) { index in
      guard let list = try call.stack.elements(at: index, body) else { throw expected(what, name, index) }
      return list
    }
    return elements ?? []
  }

  /// The options next to the elements of a nested list.
  private func table(at index: Int32, _ name: String, allowed: [String]) throws -> Options {
    guard call.stack.type(at: index) == .table else { throw expected("a table", name, index) }
    return try Options(call: call, index: index, allowed: allowed, listed: true)
  }
}
