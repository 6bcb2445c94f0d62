internal import LuaBindings
package import Modeling
package import ObjectGraph
package import Presentation

// Scripts that are written in an editor and do not run. Of plain Lua nothing is said.
extension Session {
  /// The completions at a byte of a script: what is of the engine and the store.
  package func completions(inScript text: String, at offset: Int) -> Completions {
    completer(text, offset).completions(text, at: offset)
  }

  /// The string at a byte of a script, where it is a predicate or a key path.
  package func string(inScript text: String, at offset: Int) -> ScriptString? {
    completer(text, offset).string(in: text, at: offset)
  }

  /// The strings of a script that are predicates or key paths. O(length) for each string.
  package func strings(inScript text: String) -> [ScriptString] {
    LuaToken.tokens(of: text).compactMap { token in
      guard case .string = token.kind else { return nil }
      return string(inScript: text, at: token.range.lowerBound)
    }
  }

  /// Help on the name at a byte of a script.
  package func inspect(script text: String, at offset: Int) -> Inspection? {
    Inspection(script: text, at: offset, completer(text, offset).finder)
  }

  private func completer(_ text: String, _ offset: Int) -> LuaCompleter {
    let beginning = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
    return LuaCompleter(engine: engine, scope: ScriptScope(behind: beginning, engine.store?.model))
  }

  // MARK: Properties

  /// Help on the property that a key path leads to; nil where there is none.
  package func help(onKeyPath path: String, of entity: Entity) -> (signature: String, summary: String)? {
    var owner = entity
    var found: (signature: String, summary: String)?
    for name in path.split(separator: ".").map(String.init) {
      guard let index = owner.index(of: name) else { return nil }
      found = EntityHelp.line(at: index, of: owner, in: engine.store)
      if owner.properties[index].relationship != nil { owner = owner.destination(at: index) }
    }
    return found
  }

  /// The most frequent values of an attribute, each with how often it occurs, as far as they can be read in 15 milliseconds.
  package func frequentValues(ofKeyPath path: String, of entity: Entity, in context: ObjectContext) -> Completions? {
    ValueCompleter(engine: engine, context: context).completions(path + " == ", in: entity)
  }
}
