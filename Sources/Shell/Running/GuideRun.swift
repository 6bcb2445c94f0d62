internal import Session

/// `perilune help --llm`: writes what a program needs to write scripts, with the entities of a store if one is named.
package struct GuideRun: ProgramRun {
  package var options: RunOptions
  private let store: StoreAccess?

  package init(of store: StoreAccess?, _ options: RunOptions) { (self.store, self.options) = (store, options) }

  package func run(in surroundings: Surroundings) -> Int32 {
    inSession(surroundings, store ?? StoreAccess()) { session in
      if let status = store?.open(in: session), status != 0 { return status }
      session.surroundings.show(ScriptGuide(session.engine).text)
      return session.finish(0)
    }
  }
}
