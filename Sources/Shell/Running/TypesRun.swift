internal import LuaBindings
internal import Modeling
internal import Session

/// `perilune types`: writes the types of a store for editors of Lua, or as Swift classes.
package struct TypesRun: ProgramRun {
  package var options: RunOptions
  private let store: StoreAccess
  private let form: Form

  /// A form in which the types of a store are written.
  package enum Form {
    /// LuaCATS annotations, which editors read, with what the values of the store add.
    case lua(values: Bool, statistics: Bool)
    /// Classes over PeriluneKit, in a schema of the given name or of one by the store's name.
    case swift(schema: String?)
  }

  package init(_ form: Form, of store: StoreAccess, _ options: RunOptions) {
    (self.form, self.store, self.options) = (form, store, options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    inSession(surroundings, store) { session in
      let status = versioned(session).open(in: session)
      return status == 0 ? write(session) : status
    }
  }

  /// The store: the name of a schema to write is that of one to read, too, where the file of the model has it.
  private func versioned(_ session: EngineSession) -> StoreAccess {
    guard case .swift(let schema?) = form, let path = store.modelPath,
      !path.hasSuffix(".lua"), ModelLoader.hasSchema(schema, inModel: path)
    else { return store }
    var store = store
    store.modelVersion = schema
    return store
  }

  private func write(_ session: EngineSession) -> Int32 {
    switch form {
    case .lua(let values, let statistics):
      let status = session.guarding {
        session.surroundings.show(try session.session.annotations(values: values, statistics: statistics))
      }
      if status != 0 { return status }
    case .swift(let schema):
      let name = schema ?? Naming.upperCamelCase(store.name(in: session)) + "Schema"
      guard let source = session.engine.typedSource(schema: name) else { return ExitStatus.noStore }
      session.surroundings.show(source.text)
      for note in source.notes { session.surroundings.warn(note) }
    }
    return session.finish(0)
  }
}
