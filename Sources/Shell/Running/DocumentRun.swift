internal import LuaBindings

/// `perilune doc`: writes the model of a store for people.
package struct DocumentRun: ProgramRun {
  package var options: RunOptions
  private let store: StoreAccess
  private let form: Form

  /// A form in which a model is written for people.
  package enum Form {
    /// Markdown, and the diagram as SVG, on standard output.
    case markdown, svg
    /// Both as files, `model.md` and `model.svg`, in a folder.
    case files(folder: String)
  }

  package init(_ form: Form, of store: StoreAccess, _ options: RunOptions) {
    (self.form, self.store, self.options) = (form, store, options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    withStore(store, surroundings) { session in
      let (engine, title) = (session.engine, store.name(in: session))
      func document(_ picture: String?) -> String { engine.modelDocument(title: title, picture: picture) ?? "" }
      let diagram = engine.modelDiagram(title: title) ?? ""
      switch form {
      case .markdown: surroundings.show(document(nil))
      case .svg: surroundings.show(diagram)
      case .files(let folder):
        let status = surroundings.write(["model.md": document("model.svg"), "model.svg": diagram], into: folder)
        if status != 0 { return status }
      }
      return session.finish(0)
    }
  }
}
