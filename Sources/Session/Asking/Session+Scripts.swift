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

  /// The strings of a script that are predicates or key paths. O(length).
  package func strings(inScript text: String) -> [ScriptString] {
    let bytes = Array(text.utf8)
    let tokens = LuaCompleter.tokens(of: text)
    let scopes = ScriptScope.atStrings(of: text, engine.store?.model)
    return tokens.indices.compactMap { index in
      scopes[tokens[index].range.lowerBound].flatMap {
        LuaCompleter(engine: engine, scope: $0).string(index, of: tokens, bytes)
      }
    }
  }

  /// The call of a function of the engine around a byte of a script; nil where there is none.
  package func signature(inScript text: String, at offset: Int) -> CallSignature? {
    CallSignature(in: text, at: offset, completer(text, offset))
  }

  /// The name of an entity at a byte of a script, where it is that of a variable.
  package func entity(inScript text: String, at offset: Int) -> String? {
    guard let name = inspect(script: text, at: offset)?.name, engine.store?.model.entity(named: name) != nil else {
      return nil
    }
    return name
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
