package import LuaBindings

/// The arguments of a function or method, as its line of help has them, behind the parenthesis that opens its call.
///
///     ArgumentHint(engine).text(behind: "Quake:where(")     // predicate, ...) -> request
package struct ArgumentHint {
  private let engine: Engine

  package init(_ engine: Engine) {
    self.engine = engine
  }

  /// The arguments for a block that ends with an opening parenthesis; nil for other blocks and unknown functions.
  package func text(behind block: String) -> String? {
    guard block.utf8.last == UInt8(ascii: "("), case .code = ShellInput(block) else { return nil }
    let outline = LuaOutline(block)
    let name = outline.tokens.count - 2
    guard outline.isSign(name + 1, "("), outline.isName(name), let entry = entry(name, outline) else { return nil }
    let arguments = entry.arguments
    // Some are written with the table that they take.
    return arguments.first == "(" && arguments.count > 2 ? String(arguments.dropFirst()) : nil
  }

  private func entry(_ name: Int, _ outline: LuaOutline) -> CatalogEntry? {
    let text = outline.text(name)
    let isMethod = outline.isSign(name - 1, ":")
    guard isMethod || outline.isSign(name - 1, ".") else {
      // A function that the block or a script makes is another one.
      if outline.isKeyword(name - 1, "function") || engine.localNames.contains(text) { return nil }
      return engine.catalog.members(of: "").first { $0.name == text && $0.kind == .function }
    }
    guard let expression = LuaExpression(endingAt: outline.tokens[..<(name - 1)], in: outline.bytes),
      let owner = ThingFinder(engine: engine).thing(expression)?.owner
    else { return nil }
    return engine.catalog.members(of: owner).first { $0.name == text && ($0.kind == .method) == isMethod }
  }
}
